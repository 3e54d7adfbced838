import { assert } from '../../../src/core/assert.js'
import type { OrderKey } from '../../../src/core/command.js'
import { isOpen } from '../../../src/core/order.js'
import type { OrderRecord } from '../../../src/core/order-record.js'
import { orderId } from '../../../src/core/order-record.js'
import type { OrderRequest } from '../../../src/core/order-request.js'
import type { CapacityRefusal } from '../../../src/exchange/capacity.js'
import type { OrderKeyRow } from '../../../src/store/rows/order-key-rows.js'
import type { RareBranches } from '../workload/rare-branches.js'

export type NamedRequest = OrderRequest & { readonly key: OrderKey }

/** All that was asked under one name of one user, and the order that it stands for. */
interface Named {
  readonly asked: NamedRequest[]
  /** Those that await an answer, or whose answer a crash has swallowed. */
  readonly unanswered: Set<NamedRequest>
  /** Fingerprints of which it was said that another order has the name. */
  readonly refused: Set<string>
  order: { readonly id: string; readonly fingerprint: string; readonly wasOpen: boolean } | undefined
}

/** What clients were told of the names that they gave their orders: one order each (invariants, I10). */
export class KeysTold {
  readonly #names = new Map<string, Named>()
  readonly #branches: RareBranches

  constructor(branches: RareBranches) {
    this.#branches = branches
  }

  /** The first request under each name, the oldest first. */
  get firstRequests(): NamedRequest[] {
    return [...this.#names.values()].flatMap(({ asked }) => asked.slice(0, 1))
  }

  asked(request: NamedRequest): void {
    const named = this.#named(request)
    named.asked.push(request)
    named.unanswered.add(request)
  }

  /** Takes an answer; says whether it is the first that tells of the order. */
  answered(request: NamedRequest, answer: OrderRecord | CapacityRefusal | 'key_used'): boolean {
    const named = this.#named(request)
    const { name, fingerprint } = request.key
    named.unanswered.delete(request)
    if (answer === 'key_used') {
      this.#branches.count('answer: one key, another order')
      const isUsed = named.asked.some(({ key }) => key.fingerprint !== fingerprint)
      assert(isUsed, `a name is refused where another order has it: ${name}`)
      assert(named.order?.fingerprint !== fingerprint, `the same words are never refused: ${name}`)
      named.refused.add(fingerprint)
      return false
    }
    if (typeof answer === 'string') {
      assert(named.order === undefined, `an order that is there is answered, however busy: ${name}`)
      return false
    }
    assert(!named.refused.has(fingerprint), `a name that was another order's is not given away: ${name}`)
    assert(answer.key === name, `an order keeps its name: ${name}`)
    const id = orderId(answer)
    const { order } = named
    if (order === undefined) {
      named.order = { id, fingerprint, wasOpen: isOpen(answer.state) }
      return true
    }
    assert(order.id === id && order.fingerprint === fingerprint, `one name is one order: ${name} ${id}`)
    this.#branches.count('answer: one key, the same order')
    const hasEnded = order.wasOpen && !isOpen(answer.state)
    this.#branches.count('answer: one key, an order that has ended since', hasEnded)
    return false
  }

  /** What a client sends again after a crash: one request of each name of which it has heard nothing. */
  unanswered(): NamedRequest[] {
    return [...this.#names.values()].flatMap(({ order, unanswered }) =>
      order === undefined ? [...unanswered].slice(0, 1) : [],
    )
  }

  /** After a start: a name that was told stands for its order; what else is there was asked for. */
  assertKept(find: (userId: string, name: string) => OrderKeyRow | undefined): void {
    for (const { asked, order, unanswered } of this.#names.values()) {
      const [first] = asked
      if (first === undefined) continue
      const { name } = first.key
      const row = find(first.userId, name)
      if (order !== undefined) {
        const isKept = row !== undefined && order.id.startsWith(`${row.market}-${row.number}-`)
        assert(isKept && row.fingerprint === order.fingerprint, `a name that was told is on disk: ${name}`)
      } else if (unanswered.size > 0) {
        this.#branches.count(`crash: unanswered key was ${row === undefined ? 'not taken' : 'taken'}`)
      }
      const isAsked = row === undefined || asked.some(({ key }) => key.fingerprint === row.fingerprint)
      assert(isAsked, `a name stands for what was asked under it: ${name}`)
    }
  }

  #named({ userId, key }: NamedRequest): Named {
    const place = JSON.stringify([userId, key.name])
    let named = this.#names.get(place)
    if (named === undefined) {
      named = { asked: [], unanswered: new Set(), refused: new Set(), order: undefined }
      this.#names.set(place, named)
    }
    return named
  }
}
