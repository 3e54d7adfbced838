import type { Rest } from './rest.js'
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

  constructor(rest: Rest, adminToken: string | undefined) {
    this.#rest = rest
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

  /** Answers what the exchange says of it, the same for ever. */
  deposit(userid: string, transfer: Transfer): Promise<unknown> {
    return this.#do(`/portfolio/${encodeURIComponent(userid)}/deposit`, transfer)
  }

  withdraw(userid: string, transfer: Transfer): Promise<unknown> {
    return this.#do(`/portfolio/${encodeURIComponent(userid)}/withdraw`, transfer)
  }

  /** Whether the money adds up: `ok`, and what was looked at. */
  verifyLedger(): Promise<{ readonly ok: boolean }> {
    return this.#rest.call({ method: 'GET', path: '/ledger/verify', headers: this.#headers })
  }

  /** All of these are done once, however often they are asked for. */
  #do<T>(path: string, body?: unknown): Promise<T> {
    return this.#rest.call({ method: 'POST', path, body, headers: this.#headers, repeat: 'always' })
  }
}
