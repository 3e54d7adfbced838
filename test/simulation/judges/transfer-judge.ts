import { isDeepStrictEqual } from 'node:util'
import { assert } from '../../../src/core/assert.js'
import type { TransferRow } from '../../../src/core/records/statement-record.js'
import type { TransferRefusal, TransferRequest } from '../../../src/exchange/accounts/transfers.js'
import type { RareBranches } from '../workload/rare-branches.js'

type TransferAnswer = TransferRow | TransferRefusal | string

/** The operator's record of one `txn_id`. */
interface Txn {
  readonly asked: TransferRequest[]
  done: TransferRow | undefined
  /** Requests lost in a crash, which may or may not have been applied. */
  unanswered: Set<TransferRequest>
}

/** Checks deposits and withdrawals: one `txn_id` moves money once and always has the same answer. */
export class TransferJudge {
  readonly #txns = new Map<string, Txn>()
  readonly #branches: RareBranches

  constructor(branches: RareBranches) {
    this.#branches = branches
  }

  get txnIds(): string[] {
    return [...this.#txns.keys()]
  }

  asked(request: TransferRequest): void {
    let txn = this.#txns.get(request.txnId)
    if (txn === undefined) {
      txn = { asked: [], done: undefined, unanswered: new Set() }
      this.#txns.set(request.txnId, txn)
    }
    txn.asked.push(request)
    txn.unanswered.add(request)
  }

  /** Returns the first request of a `txn_id`, to repeat it. */
  firstOf(txnId: string): TransferRequest | undefined {
    return this.#txns.get(txnId)?.asked[0]
  }

  /** Returns the answered transfers of a user, but for those asked for in another's name, too. */
  doneOf(userId: string): string[] {
    return [...this.#txns].flatMap(([txnId, { asked, done }]) =>
      done !== undefined && asked.every(request => request.userId === userId) ? [txnId] : [],
    )
  }

  /** Returns the requests that a client repeats after a crash: one per `txn_id` without a known outcome. */
  unanswered(): TransferRequest[] {
    const requests: TransferRequest[] = []
    for (const { done, unanswered } of this.#txns.values()) {
      const [request] = unanswered
      if (done === undefined && request !== undefined) requests.push(request)
    }
    return requests
  }

  answered(request: TransferRequest, answer: TransferAnswer): void {
    const txn = this.#txns.get(request.txnId)
    assert(txn !== undefined, 'an answer follows a request')
    txn.unanswered.delete(request)
    if (typeof answer === 'string') {
      this.#branches.count(answer === 'queue_full' ? 'answer: busy' : 'answer: codes or accounts full')
      return
    }
    if ('refusal' in answer) this.#refused(txn, request, answer)
    else this.#done(txn, request, answer)
  }

  /** Checks after a crash that every answered transfer is on disk, and every other one was requested. */
  assertKept(find: (txnId: string) => (TransferRow & { readonly userId: string }) | undefined): void {
    for (const [txnId, txn] of this.#txns) {
      const found = find(txnId)
      if (txn.done !== undefined)
        assert(isDeepStrictEqual(txn.done, rowOf(found)), `an answered transfer is on disk: ${txnId}`)
      if (txn.unanswered.size > 0 && txn.done === undefined) {
        this.#branches.count('crash: unanswered transfer was done', found !== undefined)
        this.#branches.count('crash: unanswered transfer was not done', found === undefined)
      }
      if (found === undefined) continue
      const isAsked = txn.asked.some(request => isOf(request, found) && request.userId === found.userId)
      assert(isAsked, `a transfer on disk was requested: ${txnId}`)
    }
  }

  #done(txn: Txn, request: TransferRequest, row: TransferRow): void {
    assert(isOf(request, row), `a transfer matches its request: ${row.txnId}`)
    if (txn.done !== undefined) {
      assert(isDeepStrictEqual(txn.done, row), `one txn_id has one answer: ${row.txnId}`)
      this.#branches.count('answer: one txn_id, the same body')
    }
    txn.done = { ...row }
  }

  #refused(txn: Txn, request: TransferRequest, { refusal }: TransferRefusal): void {
    const { done } = txn
    if (refusal === 'txn_id_used') {
      this.#branches.count('answer: one txn_id, another body')
      const isKnown = txn.asked.some(other => other !== request && !isDeepStrictEqual(other, request))
      assert(isKnown, 'a txn_id is refused where another body has used it')
      assert(done === undefined || !isOfUser(txn, request, done), 'the same body is never refused')
      return
    }
    assert(done === undefined, `a completed transfer is not refused: ${request.txnId}`)
    this.#branches.count('answer: transfer refused for want of funds', refusal === 'funds_insufficient')
    this.#branches.count('answer: transfer of an unknown user', refusal === 'user_unknown')
  }
}

function isOf(request: TransferRequest, row: TransferRow): boolean {
  const { txnId, direction, amount } = row
  return request.txnId === txnId && request.direction === direction && request.amount === amount
}

/** Returns true if the completed transfer has this body and user: another user may send the same body. */
function isOfUser(txn: Txn, request: TransferRequest, done: TransferRow): boolean {
  return isOf(request, done) && txn.asked.every(({ userId }) => userId === request.userId)
}

function rowOf(found: (TransferRow & { readonly userId: string }) | undefined): TransferRow | undefined {
  if (found === undefined) return undefined
  const { userId, ...row } = found
  return row
}
