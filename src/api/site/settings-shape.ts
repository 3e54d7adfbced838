/** Up to 50 named values that pages remember for a user. */
export interface UserSettings {
  readonly userid: string
  readonly settings: Readonly<Record<string, string | number | boolean>>
}

/** The codes of the events that a user watches, the latest first. */
export interface Watchlist {
  readonly userid: string
  readonly events: readonly string[]
}
