/** Troubles, the worst first: nothing is taken, the lease is not renewed, nothing is deleted. */
const KINDS = ['log', 'lease', 'room'] as const

type TroubleKind = (typeof KINDS)[number]

/** Why a log does not do what it should; tells when the worst reason changes. */
export class Troubles {
  readonly #reasons = new Map<TroubleKind, string | undefined>()
  readonly #tell: (reason: string | undefined) => void
  #told: string | undefined

  constructor(tell: (reason: string | undefined) => void) {
    this.#tell = tell
  }

  /** @param reason undefined if all is well */
  note(of: TroubleKind, reason: string | undefined): void {
    this.#reasons.set(of, reason)
    const worst = KINDS.find(kind => this.#reasons.get(kind) !== undefined)
    const next = worst && this.#reasons.get(worst)
    if (next === this.#told) return
    this.#told = next
    this.#tell(next)
  }
}
