import { assert } from '../../../src/core/assert.js'
import type { BatchKey } from '../../../src/core/order-names.js'
import type { OrderRecord } from '../../../src/core/order-record.js'
import type { OrderRequest } from '../../../src/core/order-request.js'
import type { CapacityRefusal } from '../../../src/exchange/capacity.js'
import type { KnownBatch } from '../../../src/store/rows/batch-key-rows.js'
import type { RareBranches } from '../workload/rare-branches.js'

/** Orders sent together under a name. */
export interface BatchRequest {
  readonly key: BatchKey
  readonly orders: readonly OrderRequest[]
}

export type BatchAnswer =
  | readonly (OrderRecord | CapacityRefusal | 'key_used')[]
  | CapacityRefusal
  | 'key_used'

/** All requests under one name, and the orders answered, by their place in the batch. */
interface Named {
  readonly asked: BatchRequest[]
  /** Requests without an answer, or whose answer was lost in a crash. */
  readonly unanswered: Set<BatchRequest>
  /** The fingerprint of the answered body. */
  fingerprint: string | undefined
  readonly orders: Map<number, string>
  /** How many requests wait for an answer. */
  waiting: number
}

const placeOf = ({ market, number }: Pick<OrderRecord, 'market' | 'number'>) => `${market} ${number}`

/** Checks the answers about named batches: one body each, and one order for each of its places (I10). */
export class BatchJudge {
  readonly #names = new Map<string, Named>()
  readonly #branches: RareBranches

  constructor(branches: RareBranches) {
    this.#branches = branches
  }

  /** Returns the first request with each name, oldest first. */
  get firstRequests(): BatchRequest[] {
    return [...this.#names.values()].flatMap(({ asked }) => asked.slice(0, 1))
  }

  /** Records a request. Returns whether others under its name still wait: then it arrives after them. */
  asked(request: BatchRequest): boolean {
    const named = this.#named(request.key.name)
    named.asked.push(request)
    named.unanswered.add(request)
    named.waiting++
    return named.waiting > 1
  }

  /** Records an answer. Returns the places of the orders that it reports for the first time. */
  answered(request: BatchRequest, answer: BatchAnswer): Set<number> {
    const { name, fingerprint } = request.key
    const named = this.#named(name)
    const isFirst = new Set<number>()
    named.unanswered.delete(request)
    named.waiting--
    if (answer === 'key_used') {
      this.#branches.count('answer: one batch name, another batch')
      const isUsed = named.asked.some(({ key }) => key.fingerprint !== fingerprint)
      assert(isUsed, `a name is refused only if another batch has it: ${name}`)
      assert(named.fingerprint !== fingerprint, `the same batch is never refused: ${name}`)
    }
    if (typeof answer === 'string') return isFirst
    assert((named.fingerprint ?? fingerprint) === fingerprint, `one name is one batch: ${name}`)
    const wasCut = named.fingerprint !== undefined && named.orders.size < request.orders.length
    named.fingerprint = fingerprint
    assert(answer.length === request.orders.length, `every order of a batch has a result: ${name}`)
    for (const [index, order] of answer.entries()) {
      const known = named.orders.get(index)
      if (typeof order === 'string') {
        assert(known === undefined, `an order of a batch stays, even when the queue is full: ${name}`)
      } else if (known === undefined) {
        this.#branches.count('answer: one batch name, an order that had no room before', wasCut)
        named.orders.set(index, placeOf(order))
        isFirst.add(index)
      } else {
        assert(placeOf(order) === known, `one place of a batch is one order: ${name}, ${index}`)
        this.#branches.count('answer: one batch name, the same orders')
      }
    }
    return isFirst
  }

  /** Returns the requests that a client repeats after a crash: one per name without an answer. */
  unanswered(): BatchRequest[] {
    return [...this.#names.values()].flatMap(({ fingerprint, unanswered }) =>
      fingerprint === undefined ? [...unanswered].slice(0, 1) : [],
    )
  }

  /** Checks after a start that every answered batch is kept, and that every other was requested. */
  assertKept(find: (name: string) => KnownBatch | undefined): void {
    for (const [name, named] of this.#names) {
      const { asked, fingerprint, orders, unanswered } = named
      // No request survives the stop.
      named.waiting = 0
      const kept = find(name)
      const places = new Map(kept?.orders.map(([index, market, number]) => [index, { market, number }]))
      assert(
        fingerprint === undefined || kept?.fingerprint === fingerprint,
        `an answered batch is kept: ${name}`,
      )
      for (const [index, place] of orders) {
        const row = places.get(index)
        assert(
          row !== undefined && placeOf(row) === place,
          `an answered order keeps its place: ${name}, ${index}`,
        )
      }
      const body = asked.find(({ key }) => key.fingerprint === kept?.fingerprint)
      assert(kept === undefined || body !== undefined, `the batch of a name was requested: ${name}`)
      if (fingerprint !== undefined || unanswered.size === 0) continue
      const part = places.size === body?.orders.length ? 'whole' : 'in part'
      const end = kept === undefined ? 'not taken' : (`taken ${part}` as const)
      this.#branches.count(`crash: unanswered batch was ${end}`)
    }
  }

  #named(name: string): Named {
    let named = this.#names.get(name)
    if (named === undefined) {
      const orders = new Map<number, string>()
      named = { asked: [], unanswered: new Set(), fingerprint: undefined, orders, waiting: 0 }
      this.#names.set(name, named)
    }
    return named
  }
}
