import { assert } from '../../core/assert.js'
import { FIRST_FREE_ACCOUNT } from '../../core/ledger.js'
import { foldedName, plainName, skeletonOf } from '../../core/plain-name.js'
import type { AccountNumber } from '../../core/units.js'

/** The account of each user, the number of their last message, and the next free account number. */
export class Users {
  readonly #byUserId = new Map<string, AccountNumber>()
  /** By account number; escrows have none. */
  readonly #userIds: (string | undefined)[] = []
  readonly #userSeqs: (number | undefined)[] = []
  /** Names that contain joiners, with the joiners removed. */
  readonly #skeletons = new Set<string>()
  /** The ids that are not folded names, by the name to which they fold. */
  readonly #unfolded = new Map<string, string | string[]>()
  #next: AccountNumber = FIRST_FREE_ACCOUNT

  /** Returns the number for a new account, of a user or an escrow. */
  takeNumber(): AccountNumber {
    const number = this.#next
    this.#next = (number + 1) as AccountNumber
    return number
  }

  /** Marks a number as taken by a stored account. */
  noteTaken(number: AccountNumber): void {
    if (number >= this.#next) this.#next = (number + 1) as AccountNumber
  }

  add(userId: string, account: AccountNumber): void {
    this.#byUserId.set(userId, account)
    this.#noteUnfolded(userId)
    while (this.#userIds.length < account) {
      this.#userIds.push(undefined)
      this.#userSeqs.push(undefined)
    }
    this.#userIds[account] = userId
    this.#userSeqs[account] ??= 0
    this.noteName(userId)
  }

  /** Records a name as taken, committed or not. */
  noteName(userId: string): void {
    const skeleton = skeletonOf(userId)
    if (skeleton !== userId) this.#skeletons.add(skeleton)
  }

  /** Returns true if a new name differs in joiners alone from an existing name. */
  isLikeJoined(userId: string): boolean {
    return this.#skeletons.has(skeletonOf(userId))
  }

  /** Returns the user id that a client means: as written if it is known, else its plain form. */
  named(text: string): string {
    return this.#byUserId.has(text) ? text : plainName(text)
  }

  /** Returns the ids of users that fold to a name. */
  likeFolded(folded: string): readonly string[] {
    const others = [this.#unfolded.get(folded) ?? []].flat()
    return this.#byUserId.has(folded) ? [folded, ...others] : others
  }

  /** Gives a user's next messages their numbers; returns the user id. */
  advance(account: AccountNumber, messagesCount: number): string {
    const userId = this.#userIds[account]
    assert(userId !== undefined, 'only users have a private channel')
    assert(messagesCount > 0, "a user's message numbers only increase")
    this.#userSeqs[account] = this.userSeqOf(account) + messagesCount
    return userId
  }

  /** Yields every user, in the order of their accounts' opening. */
  *all(): Generator<readonly [AccountNumber, string]> {
    for (const [userId, account] of this.#byUserId) yield [account, userId]
  }

  /** Returns the user of an account; undefined for those of the exchange. */
  idOf(account: AccountNumber): string | undefined {
    return this.#userIds[account]
  }

  /** Returns the number of the last message that memory includes. */
  userSeqOf(account: AccountNumber): number {
    return this.#userSeqs[account] ?? 0
  }

  /** The number of users with an account. */
  get count(): number {
    return this.#byUserId.size
  }

  accountOf(userId: string): AccountNumber | undefined {
    return this.#byUserId.get(userId) ?? this.#byUserId.get(plainName(userId))
  }

  #noteUnfolded(userId: string): void {
    const folded = foldedName(userId)
    if (folded === userId) return
    const known = this.#unfolded.get(folded)
    // One alone, as nearly all are, needs no list.
    if (known === undefined) this.#unfolded.set(folded, userId)
    else if (typeof known === 'object') known.push(userId)
    else this.#unfolded.set(folded, [known, userId])
  }
}
