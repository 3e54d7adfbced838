import { HouseCalls } from './house-calls.js'
import type { ListOptions, TimeOptions, UserListOptions } from './lists.js'
import { listRows } from './lists.js'
import type { Rest } from './rest.js'
import type * as Shown from './shapes.js'
import type { Market, Outcome } from './shapes.js'
import { Webhooks } from './webhooks-client.js'

/** A new event; times are ISO 8601, money is in rupees. */
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
  /** An empty text removes it. */
  readonly category?: string
  /** Link to where the result will be published; an empty text removes it. */
  readonly source_url?: string
  /** Fee rates in basis points, at most 1,000; null for those of the category or the exchange. */
  readonly fee_taker_bp?: number | null
  readonly fee_maker_bp?: number | null
}

const ANNOUNCEMENT = '/admin/announcement'

interface Announced {
  readonly announcement: Shown.Announcement | null
}

/** Changes to an event; omitted fields stay as they are. */
export type MarketEdit = Partial<Omit<MarketRequest, 'payout' | 'tick_size'>>

/** Outcome of an event. */
export interface Resolution {
  readonly outcome: Outcome
  readonly source_url?: string
  readonly note?: string
}

/** A deposit or a withdrawal: made once per `txn_id`, however often it is requested. */
export interface Transfer {
  readonly amount: number
  readonly txn_id: string
}

/** Which lines of the log to list. */
export interface ActionListOptions extends ListOptions, TimeOptions {
  /** A part of anything in a line, in any case. */
  readonly q?: string | undefined
  /** A part of who it was. */
  readonly who?: string | undefined
  readonly action?: Shown.AdminAction['action'] | undefined
  readonly event_id?: string | undefined
  readonly userid?: string | undefined
}

/** Selects days of fees. */
export type FeeListOptions = ListOptions & TimeOptions

/** Changes to a user's limits: omitted fields stay, null removes a bound. */
export interface UserLimitsChange {
  readonly suspended?: boolean
  readonly reason?: string
  /** In rupees. */
  readonly order_value_max?: number | null
  readonly open_orders_max?: number | null
}

/** Calls reserved for operators. Only these and those about accounts carry the admin token. */
export class Operator {
  /** House quotes of events; those of groups are with the groups. */
  readonly house: HouseCalls<Shown.HouseQuotes>
  readonly webhooks: Webhooks
  readonly #rest: Rest
  readonly #headers: Readonly<Record<string, string>>
  readonly #newKey: () => string

  /** @param headers sent with every call, if it is not the client's own token */
  constructor(rest: Rest, headers: Readonly<Record<string, string>>, newKey: () => string) {
    this.#rest = rest
    this.#newKey = newKey
    this.#headers = headers
    this.house = new HouseCalls({ rest, headers, of: 'events' })
    this.webhooks = new Webhooks(rest, headers)
  }

  /**
   * Creates an event and returns its code. It is not sent again if no answer arrives: if the first request
   * had succeeded, the second would be refused with 409.
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

  /** Changes the given fields and returns the event; repeating it changes nothing. */
  editMarket(code: string, edit: MarketEdit): Promise<Market> {
    return this.#do(`/events/${encodeURIComponent(code)}`, edit, 'PATCH')
  }

  /** Gives an event an emoji, or a picture as base64: PNG, JPEG or WebP. Returns the event. */
  setMarketImage(code: string, image: { emoji: string } | { picture: string }): Promise<Market> {
    return this.#do(`/events/${encodeURIComponent(code)}/image`, image, 'PUT')
  }

  removeMarketImage(code: string): Promise<Market> {
    return this.#do(`/events/${encodeURIComponent(code)}/image`, undefined, 'DELETE')
  }

  /** Lists the templates of events by name. */
  async fetchTemplates(): Promise<readonly Shown.EventTemplate[]> {
    return (await this.#get<Shown.EventTemplates>('/admin/templates')).templates
  }

  /** Saves a template, in place of the one of the same name. */
  saveTemplate(template: Shown.EventTemplateRequest): Promise<Shown.EventTemplate> {
    return this.#do('/admin/templates', template, 'PUT')
  }

  /** Deletes a template and returns those that are left. */
  async deleteTemplate(id: number): Promise<readonly Shown.EventTemplate[]> {
    const left = await this.#do<Shown.EventTemplates>(`/admin/templates/${id}`, undefined, 'DELETE')
    return left.templates
  }

  /** Lets the exchange create events from a template on certain days; replaces its schedule. */
  saveSchedule(id: number, schedule: Shown.EventScheduleRequest): Promise<Shown.EventTemplate> {
    return this.#do(`/admin/templates/${id}/schedule`, schedule, 'PUT')
  }

  /** Removes the schedule of a template; events created by it stay. */
  removeSchedule(id: number): Promise<Shown.EventTemplate> {
    return this.#do(`/admin/templates/${id}/schedule`, undefined, 'DELETE')
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

  /** Previews an outcome without setting it: a page of rows, the first one with the totals. */
  previewSettlement(
    code: string,
    { outcome, ...page }: { outcome: Outcome; limit?: number; cursor?: string },
  ): Promise<Shown.SettlementPreview> {
    return this.#get(`/events/${encodeURIComponent(code)}/settlement`, { outcome, ...page })
  }

  /** Returns a new, unique name for a transfer. */
  newTxnId(): string {
    return `txn-${this.#newKey()}`
  }

  /** Makes a deposit and returns its receipt, the same for every repeat. */
  deposit(userid: string, transfer: Transfer): Promise<Shown.TransferReceipt> {
    return this.#do(`/portfolio/${encodeURIComponent(userid)}/deposit`, transfer)
  }

  withdraw(userid: string, transfer: Transfer): Promise<Shown.TransferReceipt> {
    return this.#do(`/portfolio/${encodeURIComponent(userid)}/withdraw`, transfer)
  }

  /** Returns users and their money: all in order of arrival, unless searched, sorted or filtered. */
  fetchUsers({ limit, ...query }: UserListOptions = {}): Promise<Shown.ListedUser[]> {
    return listRows(this.#rest, { path: '/portfolio', field: 'users', query, limit, headers: this.#headers })
  }

  /** Returns the limits that operators have set for a user. */
  fetchUserLimits(userid: string): Promise<Shown.UserLimits> {
    return this.#get(`/portfolio/${encodeURIComponent(userid)}/limits`)
  }

  /** Suspends or resumes a user's trading, or limits their orders; repeating it changes nothing. */
  setUserLimits(userid: string, change: UserLimitsChange): Promise<Shown.UserLimits> {
    return this.#do(`/portfolio/${encodeURIComponent(userid)}/limits`, change, 'PATCH')
  }

  /** Returns the log of operators' actions, newest first. */
  fetchActions({ limit, ...query }: ActionListOptions = {}): Promise<Shown.AdminAction[]> {
    const headers = this.#headers
    return listRows(this.#rest, { path: '/admin/actions', field: 'actions', query, limit, headers })
  }

  /** Returns the findings about the machine and the data; a check is made every ten seconds at most. */
  fetchDoctor(): Promise<Shown.DoctorReport> {
    return this.#get('/admin/doctor')
  }

  /** Returns how the exchange was over the last hour or day. */
  fetchHealthHistory(range: 'hour' | 'day' = 'hour'): Promise<Shown.HealthHistory> {
    return this.#get('/admin/health/history', { range })
  }

  fetchHealth(): Promise<Shown.Health> {
    return this.#get('/admin/health')
  }

  /** Makes a copy of the data file while trading continues. Never retried: one may be in progress. */
  makeBackup(): Promise<Shown.MadeBackup> {
    return this.#rest.call({
      method: 'POST',
      path: '/admin/backup',
      headers: this.#headers,
      repeat: 'refused',
    })
  }

  /** Lists the newest 1,000 backups, newest first. */
  async fetchBackups(): Promise<Shown.Backup[]> {
    const { backups } = await this.#get<{ backups: Shown.Backup[] }>('/admin/backups')
    return backups
  }

  /** Has a backup verified, after those before it; the list shows the result. */
  async verifyBackup(name: string): Promise<void> {
    await this.#do(`/admin/backups/${encodeURIComponent(name)}/verify`)
  }

  /** Makes a standby lead; resolves once it does. */
  promote(): Promise<Shown.Promoted> {
    return this.#do('/admin/promote')
  }

  /**
   * Lets the exchange follow a clock that jumped ahead. Never retried: once confirmed, a repeat is refused:
   * 409.
   */
  confirmClock(): Promise<Shown.ConfirmedClock> {
    return this.#rest.call({
      method: 'POST',
      path: '/admin/clock/confirm',
      headers: this.#headers,
      repeat: 'refused',
    })
  }

  /** Returns what came in as fees, by day and event, newest first. */
  fetchFees({ limit, ...query }: FeeListOptions = {}): Promise<Shown.DayOfFees[]> {
    const headers = this.#headers
    return listRows(this.#rest, { path: '/ledger/fees', field: 'days', query, limit, headers })
  }

  /** Returns the fees of all settled events, which the exchange has kept. */
  async fetchCollectedFees(): Promise<number> {
    const { collected } = await this.#get<{ readonly collected: number }>('/ledger/fees', { limit: 1 })
    return collected
  }

  /** Checks whether the money adds up. Faults appear in the report, not as an error. */
  verifyLedger(): Promise<Shown.LedgerReport> {
    return this.#get('/ledger/verify')
  }

  /** Returns the announcement on top of the pages; null if there is none. */
  async fetchAnnouncement(): Promise<Shown.Announcement | null> {
    return (await this.#get<Announced>(ANNOUNCEMENT)).announcement
  }

  /** Publishes an announcement, which replaces the one before. */
  async publishAnnouncement(announcement: Shown.AnnouncementRequest): Promise<Shown.Announcement | null> {
    return (await this.#do<Announced>(ANNOUNCEMENT, announcement, 'PUT')).announcement
  }

  /** Removes the announcement, if there is one. */
  async removeAnnouncement(): Promise<void> {
    await this.#do(ANNOUNCEMENT, undefined, 'DELETE')
  }

  #get<T>(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): Promise<T> {
    return this.#rest.call({ method: 'GET', path, query, headers: this.#headers })
  }

  /** Sends a request that takes effect once, however often it is repeated. */
  #do<T>(path: string, body?: unknown, method: 'POST' | 'PATCH' | 'PUT' | 'DELETE' = 'POST'): Promise<T> {
    return this.#rest.call({ method, path, body, headers: this.#headers, repeat: 'always' })
  }
}
