/** The sender of an operator command; stored with it in the journal. */
export interface By {
  /**
   * The sender: the operator's key, an account with operator rights, or anyone where no rights are
   * needed. `loopback` is found in older journals: a program on the machine of the exchange. `standby` is an
   * exchange that took over from another one, without being asked.
   */
  readonly who: 'token' | 'loopback' | 'open' | 'standby' | `account:${string}`
  /** The remote address of the connection. */
  readonly address: string
  /** The request's fields, in the names and numbers of the API. */
  readonly fields: Readonly<Record<string, string | number | null | undefined>>
}

/** A command that an operator may send; without `by`, the exchange itself sent it. */
export interface Signed {
  readonly by?: By
}
