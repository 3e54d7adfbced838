import type { ListOptions } from './lists.js'
import { listRows } from './lists.js'
import type { Rest } from './rest.js'
import type * as Shown from './shapes.js'
import type { Market, Outcome } from './shapes.js'

/** What a new event is; times are ISO 8601, money is rupees. */
export interface MarketRequest {
  readonly title: string
  readonly description: string
  readonly start_date: string
  readonly end_date: string
  readonly min_bet: number
  readonly max_bet: number
  readonly sot: string
  readonly quantity: number
  readonly payout?: number
  readonly tick_size?: number
}

/** What of an event is to change; the rest stays as it is. */
export type MarketEdit = Partial<Omit<MarketRequest, 'payout' | 'tick_size'>>

/** How an event ended. */
export interface Resolution {
  readonly outcome: Outcome
  readonly source_url?: string
  readonly note?: string
}

/** A deposit or a withdrawal: done once for one `txn_id`, however often it is asked for. */
export interface Transfer {
  readonly amount: number
  readonly txn_id: string
}

/** What is the operator's. The admin token goes along with these calls only. */
export class Operator {
  readonly #rest: Rest
  readonly #headers: Readonly<Record<string, string>>
  readonly #newKey: () => string

  constructor(rest: Rest, adminToken: string | undefined, newKey: () => string) {
    this.#rest = rest
    this.#newKey = newKey
    this.#headers = adminToken === undefined ? {} : { Authorization: `Bearer ${adminToken}` }
  }

  /**
   * Answers the code of the new event. It is not sent again where no answer came, for it would be refused if
   * the first had come through: 409.
   */
  createMarket(market: MarketRequest): Promise<string> {
    return this.#rest.call({
      method: 'POST',
      path: '/events/create',
      body: market,
      headers: this.#headers,
      repeat: 'refused',
    })
  }

  /** Changes what is named, and answers the event as it is then. Doing it again changes nothing. */
  editMarket(code: string, edit: MarketEdit): Promise<Market> {
    return this.#do(`/events/${encodeURIComponent(code)}`, edit, 'PATCH')
  }

  haltMarket(code: string): Promise<Market> {
    return this.#do(`/events/${encodeURIComponent(code)}/halt`)
  }

  resumeMarket(code: string): Promise<Market> {
    return this.#do(`/events/${encodeURIComponent(code)}/resume`)
  }

  closeMarket(code: string): Promise<Market> {
    return this.#do(`/events/${encodeURIComponent(code)}/close`)
  }

  resolveMarket(code: string, resolution: Resolution): Promise<Market> {
    return this.#do(`/events/${encodeURIComponent(code)}/resolve`, resolution)
  }

  /** What an outcome would come to, without telling it: the totals with the first part of the rows. */
  previewSettlement(
    code: string,
    { outcome, ...page }: { outcome: Outcome; limit?: number; cursor?: string },
  ): Promise<Shown.SettlementPreview> {
    return this.#get(`/events/${encodeURIComponent(code)}/settlement`, { outcome, ...page })
  }

  /** A name for a transfer that no other transfer has. */
  newTxnId(): string {
    return `txn-${this.#newKey()}`
  }

  /** Answers what the exchange says of it, the same for ever. */
  deposit(userid: string, transfer: Transfer): Promise<Shown.TransferReceipt> {
    return this.#do(`/portfolio/${encodeURIComponent(userid)}/deposit`, transfer)
  }

  withdraw(userid: string, transfer: Transfer): Promise<Shown.TransferReceipt> {
    return this.#do(`/portfolio/${encodeURIComponent(userid)}/withdraw`, transfer)
  }

  /** All users and their money, in the order in which they came. */
  fetchUsers({ limit }: ListOptions = {}): Promise<Shown.UserBalance[]> {
    return listRows(this.#rest, { path: '/portfolio', field: 'users', limit, headers: this.#headers })
  }

  /** What operators did, the latest first. */
  fetchActions({ limit }: ListOptions = {}): Promise<Shown.AdminAction[]> {
    return listRows(this.#rest, { path: '/admin/actions', field: 'actions', limit, headers: this.#headers })
  }

  fetchHealth(): Promise<Shown.Health> {
    return this.#get('/admin/health')
  }

  /** Makes a copy of the data file while trading goes on. It is not asked for again: one may be under way. */
  makeBackup(): Promise<Shown.MadeBackup> {
    return this.#rest.call({
      method: 'POST',
      path: '/admin/backup',
      headers: this.#headers,
      repeat: 'refused',
    })
  }

  /** Lets the exchange follow a clock that jumped ahead. Not asked again: once done, it is refused: 409. */
  confirmClock(): Promise<Shown.ConfirmedClock> {
    return this.#rest.call({
      method: 'POST',
      path: '/admin/clock/confirm',
      headers: this.#headers,
      repeat: 'refused',
    })
  }

  /** Whether the money adds up. What is wrong with it is no error, but in the report. */
  verifyLedger(): Promise<Shown.LedgerReport> {
    return this.#get('/ledger/verify')
  }

  #get<T>(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): Promise<T> {
    return this.#rest.call({ method: 'GET', path, query, headers: this.#headers })
  }

  /** All of these are done once, however often they are asked for. */
  #do<T>(path: string, body?: unknown, method: 'POST' | 'PATCH' = 'POST'): Promise<T> {
    return this.#rest.call({ method, path, body, headers: this.#headers, repeat: 'always' })
  }
}
