import { assert } from '../../core/assert.js'
import { FIRST_FREE_ACCOUNT } from '../../core/ledger.js'
import { plainName, skeletonOf } from '../../core/plain-name.js'
import type { AccountNumber } from '../../core/units.js'

/** Which account belongs to which user, what they were told, and the numbers of accounts to come. */
export class Users {
  readonly #byUserId = new Map<string, AccountNumber>()
  readonly #userIds = new Map<AccountNumber, string>()
  readonly #userSeqs = new Map<AccountNumber, number>()
  /** The names that have joiners, without them. */
  readonly #skeletons = new Set<string>()
  #next: AccountNumber = FIRST_FREE_ACCOUNT

  /** A number for a new account, of a user or of an escrow. */
  takeNumber(): AccountNumber {
    const number = this.#next
    this.#next = (number + 1) as AccountNumber
    return number
  }

  /** Says that a number is taken, as the table of accounts knows it. */
  noteTaken(number: AccountNumber): void {
    if (number >= this.#next) this.#next = (number + 1) as AccountNumber
  }

  add(userId: string, account: AccountNumber): void {
    this.#byUserId.set(userId, account)
    this.#userIds.set(account, userId)
    this.noteName(userId)
  }

  /** A name is given, or on its way to be. */
  noteName(userId: string): void {
    const skeleton = skeletonOf(userId)
    if (skeleton !== userId) this.#skeletons.add(skeleton)
  }

  /** Whether a new name differs by joiners alone from one that has some. */
  isLikeJoined(userId: string): boolean {
    return this.#skeletons.has(skeletonOf(userId))
  }

  /** Returns the id of the user whom a client means: as written where it is known, else in plain form. */
  named(text: string): string {
    return this.#byUserId.has(text) ? text : plainName(text)
  }

  /** Notes the number of a user's last message; answers who that is. */
  advance(account: AccountNumber, userSeq: number): string {
    const userId = this.#userIds.get(account)
    assert(userId !== undefined, 'only users are told something')
    assert(userSeq > this.userSeqOf(account), "a user's messages are told in the order of their numbers")
    this.#userSeqs.set(account, userSeq)
    return userId
  }

  /** The number of the last message that memory includes. */
  userSeqOf(account: AccountNumber): number {
    return this.#userSeqs.get(account) ?? 0
  }

  /** How many users have an account. */
  get count(): number {
    return this.#byUserId.size
  }

  accountOf(userId: string): AccountNumber | undefined {
    return this.#byUserId.get(userId) ?? this.#byUserId.get(plainName(userId))
  }
}
