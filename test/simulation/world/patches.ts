import type { Command } from '../../../src/core/command.js'
import type { Sequence } from '../../../src/core/units.js'
import { Desk } from '../../../src/exchange/desk.js'
import { FreshRows } from '../../../src/exchange/reads/fresh-rows.js'
import { LookupReader } from '../../../src/exchange/reads/lookup-reader.js'
import type { Followed } from '../../../src/follower/follower.js'
import { Follower } from '../../../src/follower/follower.js'
import { Following } from '../../../src/follower/following.js'
import type { BatchResult } from '../../../src/shard/batch-runner.js'
import { BatchRunner } from '../../../src/shard/batch-runner.js'
import { Shard } from '../../../src/shard/shard.js'
import type { Database, Statement } from '../../../src/store/database.js'
import { openDatabase } from '../../../src/store/database.js'
import { Crash } from './crash.js'
import { LateStatement } from './late-statement.js'

/** Intercepts calls between the exchange and its threads, its disk and itself. */
interface Between {
  connected(database: Database): void
  submitted(command: Command, isFull: boolean): void
  runBatch<T>(text: string, run: () => T): Promise<T>
  follow(run: (writes: boolean) => Followed): Followed | Promise<Followed>
  lookUp<T>(find: () => T): Promise<T>
  foundFresh(): void
  readWaits(): void
  statement<T>(database: Database, source: string, call: () => T): T
  takeOver<T>(desk: Desk, commands: readonly Command[], result: BatchResult, settle: () => T): T
}

let current: Between | undefined
let isPatched = false

/**
 * Puts a machine between the exchange and its surroundings, without any hook in src/: running a batch,
 * executing a statement and applying a result are methods of classes, which it replaces.
 */
export function patchOnto(between: Between): void {
  current = between
  if (isPatched) return
  isPatched = true
  patchStatements()
  patchShards()
  patchDesk()
  patchTables()
}

function patchStatements(): void {
  const sample = openDatabase(':memory:')
  const statements = Object.getPrototypeOf(sample.prepare('SELECT 1')) as Statement
  for (const name of ['run', 'get', 'all', 'iterate'] as const) {
    const original = statements[name]
    // Those of transactions and pragmas are not prepared by the method below.
    const patched = function (this: Statement | LateStatement, ...parameters: unknown[]): unknown {
      const statement = () => (this instanceof LateStatement ? this.prepared() : this)
      const call = () => Reflect.apply(original, statement(), parameters) as unknown
      return current === undefined ? call() : current.statement(this.database, this.source, call)
    }
    Object.assign(statements, { [name]: patched })
    Object.assign(LateStatement.prototype, { [name]: patched })
  }
  const databases = Object.getPrototypeOf(sample) as Database
  const { prepare } = databases
  const patched = function (this: Database, sql: string): LateStatement {
    current?.connected(this)
    return new LateStatement(this, sql, () => prepare.call(this, sql) as Statement)
  }
  const { transaction } = databases
  const patchedTransaction = function (this: Database, ...parameters: Parameters<typeof transaction>) {
    // A worker of an earlier process, which has not noticed yet that the machine has died.
    if (current !== undefined && !this.open) throw new Crash('the worker is gone')
    return transaction.apply(this, parameters)
  }
  const { exec } = databases
  const patchedExec = function (this: Database, sql: string): Database {
    const call = () => exec.call(this, sql)
    return current === undefined ? call() : current.statement(this, sql, call)
  }
  Object.assign(databases, { prepare: patched, exec: patchedExec, transaction: patchedTransaction })
  sample.close()
}

function patchShards(): void {
  const { run } = BatchRunner.prototype
  // The executor awaits the result of a run, so a run may be slow.
  const slowRun = function (this: BatchRunner, ...[at, text]: Parameters<typeof run>) {
    const now = () => run.call(this, at, text)
    return current === undefined ? now() : current.runBatch(text, now)
  }
  Object.assign(BatchRunner.prototype, { run: slowRun })

  const { answer } = LookupReader.prototype
  // The same with look-ups.
  const slowAnswer = function (this: LookupReader, ...[lookups]: Parameters<typeof answer>) {
    const now = () => answer.call(this, lookups)
    return current === undefined ? now() : current.lookUp(now)
  }
  Object.assign(LookupReader.prototype, { answer: slowAnswer })

  const { submit } = Shard.prototype
  Shard.prototype.submit = function (command) {
    current?.submitted(command, this.isFull())
    return submit.call(this, command)
  }
}

function patchDesk(): void {
  const { applyCommitted } = Desk.prototype
  Desk.prototype.applyCommitted = function (commands, result) {
    const now = () => applyCommitted.call(this, commands, result)
    return current === undefined ? now() : current.takeOver(this, commands, result, now)
  }
}

function patchTables(): void {
  const { follow } = Follower.prototype
  // The executor awaits what the follower answers, so that it may take its time; a start does not.
  const slowFollow = function (this: Follower, upTo: Sequence, writes: boolean) {
    const now = (isWriting: boolean) => follow.call(this, upTo, isWriting)
    return current === undefined ? now(writes) : current.follow(now)
  }
  Object.assign(Follower.prototype, { follow: slowFollow })

  const { caughtUp } = Following.prototype
  Following.prototype.caughtUp = function () {
    if (this.load.behind > 0) current?.readWaits()
    return caughtUp.call(this)
  }

  for (const name of ['order', 'orderKey', 'transfer', 'batch'] as const) {
    const find = FreshRows.prototype[name] as (this: FreshRows, ...about: unknown[]) => unknown
    const watched = function (this: FreshRows, ...about: unknown[]) {
      const found = find.apply(this, about)
      if (found !== undefined) current?.foundFresh()
      return found
    }
    Object.assign(FreshRows.prototype, { [name]: watched })
  }
}
