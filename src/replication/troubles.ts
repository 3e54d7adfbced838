/** Why a log takes no lines, or its lease is not renewed; tells when the reason changes. */
export class Troubles {
  readonly #reasons: { log?: string | undefined; lease?: string | undefined } = {}
  readonly #tell: (reason: string | undefined) => void
  #told: string | undefined

  constructor(tell: (reason: string | undefined) => void) {
    this.#tell = tell
  }

  /** @param reason undefined if all is well */
  note(of: 'log' | 'lease', reason: string | undefined): void {
    this.#reasons[of] = reason
    const next = this.#reasons.log ?? this.#reasons.lease
    if (next === this.#told) return
    this.#told = next
    this.#tell(next)
  }
}
