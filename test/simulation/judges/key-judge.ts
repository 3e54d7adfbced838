import { assert } from '../../../src/core/assert.js'
import type { OrderKey } from '../../../src/core/order-names.js'
import { isOpen } from '../../../src/core/order.js'
import type { OrderRecord } from '../../../src/core/order-record.js'
import type { OrderRequest } from '../../../src/core/order-request.js'
import type { CapacityRefusal } from '../../../src/exchange/capacity.js'
import type { OrderKeyRow } from '../../../src/store/rows/order-key-rows.js'
import type { RareBranches } from '../workload/rare-branches.js'

export type NamedRequest = OrderRequest & { readonly key: OrderKey }

/** All requests with one key of one user, and the order it identifies. */
interface Named {
  readonly asked: NamedRequest[]
  /** Requests that await an answer, or whose answer was lost in a crash. */
  readonly unanswered: Set<NamedRequest>
  /** Fingerprints refused because another order has the key. */
  readonly refused: Set<string>
  /** The order last answered. */
  order: { readonly number: number; readonly fingerprint: string; readonly wasOpen: boolean } | undefined
  /** True if a client asked to amend it: then another order may have the key. */
  isAmended: boolean
}

/** An answer's order: new, known, or the replacement of an amended one. */
type Reported = 'first' | 'again' | 'replacement' | undefined

/** Checks the answers about order keys: one order each (invariants, I10). */
export class KeyJudge {
  readonly #names = new Map<string, Named>()
  readonly #branches: RareBranches

  constructor(branches: RareBranches) {
    this.#branches = branches
  }

  /** Returns the first request with each key, oldest first. */
  get firstRequests(): NamedRequest[] {
    return [...this.#names.values()].flatMap(({ asked }) => asked.slice(0, 1))
  }

  asked(request: NamedRequest): void {
    const named = this.#named(request)
    named.asked.push(request)
    named.unanswered.add(request)
  }

  /** Returns the request answered with the order of a name. */
  requestOf(userId: string, name: string): NamedRequest | undefined {
    const { asked, order } = this.#named({ userId, key: { name } })
    return asked.find(({ key }) => key.fingerprint === order?.fingerprint)
  }

  amending({ userId, key }: OrderRecord): void {
    if (key !== undefined) this.#named({ userId, key: { name: key } }).isAmended = true
  }

  answered(request: NamedRequest, answer: OrderRecord | CapacityRefusal | 'key_used'): Reported {
    const named = this.#named(request)
    const { name, fingerprint } = request.key
    named.unanswered.delete(request)
    if (answer === 'key_used') {
      this.#branches.count('answer: one key, another order')
      const isUsed = named.asked.some(({ key }) => key.fingerprint !== fingerprint)
      assert(isUsed, `a key is refused only if another order has it: ${name}`)
      assert(named.order?.fingerprint !== fingerprint, `the same body is never refused: ${name}`)
      named.refused.add(fingerprint)
      return undefined
    }
    if (typeof answer === 'string') {
      assert(named.order === undefined, `an existing order is answered even when the queue is full: ${name}`)
      return undefined
    }
    assert(!named.refused.has(fingerprint), `a key of another order is not reassigned: ${name}`)
    assert(answer.key === name, `an order keeps its key: ${name}`)
    const { number } = answer
    const { order } = named
    if (order === undefined) {
      named.order = { number, fingerprint, wasOpen: isOpen(answer.state) }
      return 'first'
    }
    const isLater = named.isAmended && number > order.number
    assert(number === order.number || isLater, `one key is one order: ${name} ${number}`)
    assert(order.fingerprint === fingerprint, `one key is one request: ${name}`)
    this.#branches.count('answer: one key, the same order', !isLater)
    this.#branches.count('answer: one key, the order that replaced it', isLater)
    const hasEnded = order.wasOpen && !isOpen(answer.state)
    this.#branches.count('answer: one key, an order that has ended since', hasEnded)
    if (isLater) named.order = { ...order, number }
    return isLater ? 'replacement' : 'again'
  }

  /** Returns the requests that a client repeats after a crash: one per key without an answer. */
  unanswered(): NamedRequest[] {
    return [...this.#names.values()].flatMap(({ order, unanswered }) =>
      order === undefined ? [...unanswered].slice(0, 1) : [],
    )
  }

  /** Checks after a start that every answered key has its order, and every other key was requested. */
  assertKept(find: (userId: string, name: string) => OrderKeyRow | undefined): void {
    for (const { asked, order, unanswered, isAmended } of this.#names.values()) {
      const [first] = asked
      if (first === undefined) continue
      const { name } = first.key
      const row = find(first.userId, name)
      if (order !== undefined) {
        const isSame = row?.number === order.number || (isAmended && (row?.number ?? 0) > order.number)
        const isKept = row?.market === first.market && isSame
        assert(isKept && row.fingerprint === order.fingerprint, `an answered key is on disk: ${name}`)
      } else if (unanswered.size > 0) {
        this.#branches.count(`crash: unanswered key was ${row === undefined ? 'not taken' : 'taken'}`)
      }
      const isAsked = row === undefined || asked.some(({ key }) => key.fingerprint === row.fingerprint)
      assert(isAsked, `the order of a key was requested with it: ${name}`)
    }
  }

  #named({ userId, key }: { readonly userId: string; readonly key: { readonly name: string } }): Named {
    const place = JSON.stringify([userId, key.name])
    let named = this.#names.get(place)
    if (named === undefined) {
      named = { asked: [], unanswered: new Set(), refused: new Set(), order: undefined, isAmended: false }
      this.#names.set(place, named)
    }
    return named
  }
}
