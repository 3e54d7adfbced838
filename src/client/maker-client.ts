import type { Rest } from './rest.js'
import type { CancelTimer } from './shapes.js'
import type { OfUser, WhichUser } from './which-user.js'

/** Calls for programs that quote prices. */
export class Maker {
  readonly #rest: Rest
  readonly #users: WhichUser

  constructor(rest: Rest, users: WhichUser) {
    this.#rest = rest
    this.#users = users
  }

  /**
   * Sets the user's timer: unless this is called again within `timeoutS` seconds, 5 to 300, their orders are
   * cancelled, of some events or of all. 0 switches it off. Returns the timer that is now set.
   */
  async cancelAfter(
    timeoutS: number,
    which: OfUser & { readonly events?: readonly string[] } = {},
  ): Promise<CancelTimer> {
    const body = { userid: this.#users.sent(which), timeout_s: timeoutS, events: which.events }
    return this.#rest.call({ method: 'POST', path: '/order/cancel-after', body, repeat: 'always' })
  }
}
