/** The purpose of a challenge: signing in, or adding a passkey to an account. */
export type ChallengePurpose = 'sign_in' | `add:${number}`

const LIFE_MS = 5 * 60_000
const CHALLENGES_MAX = 10_000
const CHALLENGE_BYTES = 32

/** Random challenges for passkeys. Each works once, for one purpose, within five minutes. */
export class PasskeyChallenges {
  readonly #watch: () => number
  readonly #random: (bytes: number) => Buffer
  /** In the order in which they were made, which is the order in which they expire. */
  readonly #open = new Map<string, { readonly purpose: ChallengePurpose; readonly until: number }>()

  constructor(watch: () => number, random: (bytes: number) => Buffer) {
    this.#watch = watch
    this.#random = random
  }

  make(purpose: ChallengePurpose): Buffer {
    for (const [challenge, { until }] of this.#open) {
      if (this.#open.size < CHALLENGES_MAX && until > this.#watch()) break
      this.#open.delete(challenge)
    }
    const challenge = this.#random(CHALLENGE_BYTES)
    this.#open.set(challenge.toString('base64url'), { purpose, until: this.#watch() + LIFE_MS })
    return challenge
  }

  /** Uses a challenge up, whatever its purpose. Returns true if it was open for this one. */
  take(challenge: string, purpose: ChallengePurpose): boolean {
    const open = this.#open.get(challenge)
    this.#open.delete(challenge)
    return open !== undefined && open.purpose === purpose && this.#watch() < open.until
  }
}
