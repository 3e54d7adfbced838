import { assert } from '../../../src/core/assert.js'
import type { By } from '../../../src/core/command.js'
import type { RareBranches } from '../workload/rare-branches.js'

/** A row of the audit log. */
export interface LoggedAction {
  readonly action: string
  readonly market: number | null
  readonly userId: string | null
  readonly fields: string
}

interface Asked {
  readonly verb: string
  /** The market's code or slug, or the `txn_id`. */
  readonly about: string | number
  state: 'unanswered' | 'done' | 'done before' | 'refused'
}

/** Checks the audit log against the requests of the operator: one line per change, and no others. */
export class ActionJudge {
  readonly #asked: Asked[] = []
  readonly #branches: RareBranches

  constructor(branches: RareBranches) {
    this.#branches = branches
  }

  /** Signs a request with a number that later identifies its line. */
  sign(verb: string, about: string | number): By {
    this.#asked.push({ verb, about, state: 'unanswered' })
    return { who: 'token', address: '10.0.0.1', fields: { n: this.#asked.length - 1 } }
  }

  answered({ fields: { n } }: By, state: Asked['state']): void {
    const asked = this.#asked[Number(n)]
    assert(asked?.state === 'unanswered', 'a request is answered once')
    asked.state = state
  }

  assertKept(lines: readonly LoggedAction[]): void {
    const found = new Map<number, LoggedAction>()
    for (const line of lines) {
      const { n } = JSON.parse(line.fields) as { readonly n: number }
      assert(this.#asked[n]?.verb === line.action, 'every logged action was requested')
      assert(!found.has(n), `an action is logged once: ${line.action} ${n}`)
      assert((line.market === null) !== (line.userId === null), 'an action is about a market or a user')
      found.set(n, line)
    }
    const moved = new Map<string | number, number>()
    for (const [n, { verb, about, state }] of this.#asked.entries()) {
      const isLogged = found.has(n)
      if (state === 'done') assert(isLogged, `a completed action is logged: ${verb} ${about}`)
      if (state === 'refused') assert(!isLogged, `a refused action is not logged: ${verb} ${about}`)
      this.#branches.count('crash: unanswered action was logged', state === 'unanswered' && isLogged)
      this.#branches.count('crash: unanswered action was not logged', state === 'unanswered' && !isLogged)
      if (verb !== 'deposit' && verb !== 'withdraw') continue
      moved.set(about, (moved.get(about) ?? 0) + (isLogged ? 1 : 0))
    }
    for (const [txnId, count] of moved) assert(count <= 1, `one txn_id is logged once: ${txnId}`)
    for (const { verb, about, state } of this.#asked) {
      const isTransfer = verb === 'deposit' || verb === 'withdraw'
      if (isTransfer && state === 'done before') assert(moved.get(about) === 1, `it is logged: ${about}`)
    }
  }
}
