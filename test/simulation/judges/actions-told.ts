import { assert } from '../../../src/core/assert.js'
import type { By } from '../../../src/core/command.js'
import type { RareBranches } from '../workload/rare-branches.js'

/** A line of the audit log, as the table has it. */
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

/** What the operator did by their own account: each thing that changed something has one line, and no other. */
export class ActionsTold {
  readonly #asked: Asked[] = []
  readonly #branches: RareBranches

  constructor(branches: RareBranches) {
    this.#branches = branches
  }

  /** Signs a request; its number says later which line is of it. */
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
      assert(this.#asked[n]?.verb === line.action, 'what is logged was asked')
      assert(!found.has(n), `what was done once is logged once: ${line.action} ${n}`)
      assert((line.market === null) !== (line.userId === null), 'an action is about a market or a user')
      found.set(n, line)
    }
    const moved = new Map<string | number, number>()
    for (const [n, { verb, about, state }] of this.#asked.entries()) {
      const isLogged = found.has(n)
      if (state === 'done') assert(isLogged, `what was done is logged: ${verb} ${about}`)
      if (state === 'refused') assert(!isLogged, `what was refused is not logged: ${verb} ${about}`)
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
