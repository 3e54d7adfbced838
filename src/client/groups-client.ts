import { HouseCalls } from './house-calls.js'
import type { ListOptions } from './lists.js'
import { listRows } from './lists.js'
import type { MarketRequest } from './operator-client.js'
import type { Rest } from './rest.js'
import type * as Shown from './shapes.js'
import type { Conversion, EventGroup, GroupMoney, GroupPosition, GroupPrices } from './shapes.js'
import type { GroupSettlementPreview, Outcome } from './shapes.js'
import type { Listener, Watch } from './watch.js'
import type { Watches } from './watches.js'
import type { OfUser, WhichUser } from './which-user.js'

/** A new group: the terms are those of each of its events. */
export interface GroupRequest extends MarketRequest {
  readonly kind: EventGroup['kind']
  /** Adds a last outcome "None of these" to an exclusive group. */
  readonly none_of_these?: boolean
  readonly outcomes: readonly {
    readonly title: string
    readonly description?: string
    readonly icon?: string
  }[]
}

/** Changes to a group; omitted fields stay as they are. */
export type GroupEdit = Partial<
  Pick<
    GroupRequest,
    | 'title'
    | 'description'
    | 'start_date'
    | 'end_date'
    | 'min_bet'
    | 'max_bet'
    | 'sot'
    | 'quantity'
    | 'fee_taker_bp'
    | 'fee_maker_bp'
  >
>

/** The result of a group: a winner or `void` if it is exclusive, else outcomes by the codes of events. */
export type GroupResolution = (
  | { readonly winner: string }
  | { readonly outcomes: Readonly<Record<string, Outcome>> }
) & { readonly source_url?: string; readonly note?: string }

/** Contracts to convert. */
export interface ConversionRequest extends OfUser {
  /** The events whose NO contracts are converted; none for a complete set of YES contracts. */
  readonly outcomes: readonly string[]
  readonly quantity: number
  /** By default `release`: contracts into money. */
  readonly direction?: 'release' | 'build'
  readonly client_order_id?: string
}

interface GroupParts {
  readonly rest: Rest
  readonly users: WhichUser
  readonly watches: Watches
  /** Sent with calls for operators, if it is not the client's own token. */
  readonly headers: Readonly<Record<string, string>>
  readonly newKey: () => string
}

/** Calls about groups of events. Those that change a group are for operators. */
export class Groups {
  /** House quotes of all outcomes of a group together. */
  readonly house: HouseCalls<Shown.GroupHouseQuotes>
  readonly #rest: Rest
  readonly #users: WhichUser
  readonly #watches: Watches
  readonly #headers: Readonly<Record<string, string>>
  readonly #newKey: () => string

  constructor({ rest, users, watches, headers, newKey }: GroupParts) {
    this.#rest = rest
    this.#users = users
    this.#watches = watches
    this.#headers = headers
    this.#newKey = newKey
    this.house = new HouseCalls({ rest, headers, of: 'groups' })
  }

  /** Watches the best and last prices of all outcomes of a group, now and after each change. */
  watch(code: string, listener?: Listener<GroupPrices>): Watch<GroupPrices> {
    return this.#watches.ofGroup(code, channel => channel.watch(listener))
  }

  /** Returns the groups, by code. */
  fetchGroups({ limit }: ListOptions = {}): Promise<EventGroup[]> {
    return listRows(this.#rest, { path: '/groups', field: 'groups', limit })
  }

  fetchGroup(code: string): Promise<EventGroup> {
    return this.#rest.call({ method: 'GET', path: pathOf(code) })
  }

  /** Returns what each outcome of an exclusive group would pay a user, and how much can be released. */
  async fetchPosition(code: string, which: OfUser = {}): Promise<GroupPosition> {
    const userid = encodeURIComponent(await this.#users.named(which))
    return this.#rest.call({ method: 'GET', path: `${pathOf(code)}/position/${userid}` })
  }

  /**
   * Converts contracts, and returns the position after it. Sent again if no answer arrives, and made once,
   * since it always has a `client_order_id`. Rejects with 409 and the reason if it cannot be made.
   */
  convert(code: string, request: ConversionRequest): Promise<Conversion> {
    return this.#convert(code, { client_order_id: this.#newKey(), ...request }, {})
  }

  /** Returns what a conversion would do now, or as `reason` why it would be refused. Changes nothing. */
  previewConversion(code: string, request: ConversionRequest): Promise<Conversion> {
    return this.#convert(code, request, { preview: 'true' })
  }

  /** Creates a group and returns its code. It is not sent again if no answer arrives. */
  create(group: GroupRequest): Promise<string> {
    const headers = this.#headers
    return this.#rest.call({
      method: 'POST',
      path: '/groups/create',
      body: group,
      headers,
      repeat: 'refused',
    })
  }

  /** Returns what the group holds in escrow, will pay and has charged in fees. For operators. */
  fetchMoney(code: string): Promise<GroupMoney> {
    return this.#rest.call({ method: 'GET', path: `${pathOf(code)}/money`, headers: this.#headers })
  }

  /** Previews a result of an exclusive group: a page of rows, the first one with totals. */
  previewResult(
    code: string,
    query: { winner: string; limit?: number; cursor?: string },
  ): Promise<GroupSettlementPreview> {
    const headers = this.#headers
    return this.#rest.call({ method: 'GET', path: `${pathOf(code)}/settlement`, query, headers })
  }

  /** Changes the title or the description, or the terms of its outcomes. */
  edit(code: string, edit: GroupEdit): Promise<EventGroup> {
    return this.#do(pathOf(code), edit, 'PATCH')
  }

  halt(code: string): Promise<EventGroup> {
    return this.#do(`${pathOf(code)}/halt`)
  }

  resume(code: string): Promise<EventGroup> {
    return this.#do(`${pathOf(code)}/resume`)
  }

  close(code: string): Promise<EventGroup> {
    return this.#do(`${pathOf(code)}/close`)
  }

  resolve(code: string, resolution: GroupResolution): Promise<EventGroup> {
    return this.#do(`${pathOf(code)}/resolve`, resolution)
  }

  #convert(code: string, request: ConversionRequest, query: { preview?: string }): Promise<Conversion> {
    const body = { ...request, userid: this.#users.sent(request) }
    return this.#rest.call({ method: 'POST', path: `${pathOf(code)}/convert`, query, body, repeat: 'always' })
  }

  /** Sends a request that takes effect once, however often it is repeated. */
  #do(path: string, body?: unknown, method: 'POST' | 'PATCH' = 'POST'): Promise<EventGroup> {
    return this.#rest.call({ method, path, body, headers: this.#headers, repeat: 'always' })
  }
}

function pathOf(code: string): string {
  return `/groups/${encodeURIComponent(code)}`
}
