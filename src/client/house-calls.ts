import type { Rest } from './rest.js'

/** House quotes to fund; money is in rupees. */
export interface HouseQuotesRequest {
  /** Given to the house, which never loses more; split evenly in a group. */
  readonly budget: number
  /** The YES price around which it begins. Required for an event; in a group by default an even share. */
  readonly start_price?: number
  /** From one rung to the next; about 1/100 of the payout by default. */
  readonly step?: number
}

interface HouseParts {
  readonly rest: Rest
  readonly headers: Readonly<Record<string, string>>
  readonly of: 'events' | 'groups'
}

/** Calls about the house quotes of events, or of groups; all for operators. */
export class HouseCalls<Quotes> {
  readonly #rest: Rest
  readonly #headers: Readonly<Record<string, string>>
  readonly #of: HouseParts['of']

  constructor({ rest, headers, of }: HouseParts) {
    this.#rest = rest
    this.#headers = headers
    this.#of = of
  }

  /**
   * Lets the house quote. Never sent again: if the first request had succeeded, the second would be refused
   * with 409.
   */
  fund(code: string, request: HouseQuotesRequest): Promise<Quotes> {
    return this.#call('POST', code, { body: request, repeat: 'refused' })
  }

  /** Returns what a budget would quote now; changes nothing. */
  preview(code: string, request: HouseQuotesRequest): Promise<Quotes> {
    return this.#call('POST', code, { body: request, query: { preview: 'true' }, repeat: 'always' })
  }

  /** Returns the last quotes; null if there have been none. */
  fetchQuotes(code: string): Promise<Quotes | null> {
    return this.#call('GET', code, {})
  }

  /** Cancels its orders and returns its free money; repeating it changes nothing. */
  stop(code: string): Promise<Quotes> {
    return this.#call('DELETE', code, { repeat: 'always' })
  }

  #call<Answer extends Quotes | null>(
    method: 'GET' | 'POST' | 'DELETE',
    code: string,
    rest: Omit<Parameters<Rest['call']>[0], 'method' | 'path'>,
  ): Promise<Answer> {
    const path = `/${this.#of}/${encodeURIComponent(code)}/liquidity`
    return this.#rest.call({ ...rest, method, path, headers: this.#headers })
  }
}
