import type { AccessContext } from './access-context.js'
import type { Account } from './accounts.js'

const ADDRESSES_MAX = 20

/** The addresses from which accounts have signed in. */
export class FamiliarAddresses {
  readonly #context: AccessContext

  constructor(context: AccessContext) {
    this.#context = context
  }

  has({ id }: Account, address: string): boolean {
    return (
      this.#context.database
        .prepare('SELECT 1 FROM familiar_addresses WHERE account = ? AND address = ?')
        .get(id, address) !== undefined
    )
  }

  /** Adds an address, as part of the caller's transaction. Where there are too many, the oldest goes. */
  add({ id }: Account, address: string): void {
    const { database, now } = this.#context
    database.prepare('INSERT OR REPLACE INTO familiar_addresses VALUES (?, ?, ?)').run(id, address, now())
    database
      .prepare(
        `DELETE FROM familiar_addresses WHERE account = ? AND address IN
           (SELECT address FROM familiar_addresses WHERE account = ?
            ORDER BY at DESC, address LIMIT -1 OFFSET ${ADDRESSES_MAX})`,
      )
      .run(id, id)
  }
}
