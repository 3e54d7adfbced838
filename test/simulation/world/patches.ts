import type { Command } from '../../../src/core/command.js'
import { Desk } from '../../../src/exchange/desk.js'
import { LookupReader } from '../../../src/exchange/reads/lookup-reader.js'
import { BatchRunner } from '../../../src/shard/batch-runner.js'
import { Shard } from '../../../src/shard/shard.js'
import type { Database, Statement } from '../../../src/store/database.js'
import { openDatabase } from '../../../src/store/database.js'

/** Intercepts calls between the exchange and its threads, its disk and itself. */
interface Between {
  connected(database: Database): void
  submitted(command: Command, isFull: boolean): void
  runBatch(text: string, run: () => string): Promise<string>
  lookUp<T>(find: () => T): Promise<T>
  statement<T>(database: Database, source: string, call: () => T): T
  takeOver<T>(desk: Desk, commands: readonly Command[], settle: () => T): T
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
}

function patchStatements(): void {
  const sample = openDatabase(':memory:')
  const statements = Object.getPrototypeOf(sample.prepare('SELECT 1')) as Statement
  for (const name of ['run', 'get', 'all', 'iterate'] as const) {
    const original = statements[name]
    const patched = function (this: Statement, ...parameters: unknown[]): unknown {
      const call = () => Reflect.apply(original, this, parameters) as unknown
      return current === undefined ? call() : current.statement(this.database, this.source, call)
    }
    Object.assign(statements, { [name]: patched })
  }
  const databases = Object.getPrototypeOf(sample) as Database
  const { prepare } = databases
  const patched = function (this: Database, sql: string): Statement {
    current?.connected(this)
    return prepare.call(this, sql) as Statement
  }
  Object.assign(databases, { prepare: patched })
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

  const { applyCommitted } = Desk.prototype
  Desk.prototype.applyCommitted = function (commands, result) {
    const now = () => applyCommitted.call(this, commands, result)
    return current === undefined ? now() : current.takeOver(this, commands, now)
  }
}
