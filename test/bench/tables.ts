import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from '../../src/core/command.js'
import type { BatchOutcome } from '../../src/core/engine-event.js'
import type { AccountNumber, MarketCode, Sequence, TimeMs } from '../../src/core/units.js'
import { lots } from '../../src/core/units.js'
import type { Database } from '../../src/store/database.js'
import { checkpoint, openDatabase } from '../../src/store/database.js'
import type { BatchPlace } from '../../src/store/journal.js'
import { MergedTables } from '../../src/store/merge/merged-tables.js'
import { takenBatch } from '../../src/store/merge/taken-batch.js'
import { migrateTables } from '../../src/store/tables-schema.js'
import { Dice } from '../fixtures/dice.js'
import { EngineDesk, MARKET } from '../fixtures/naive/engine-desk.js'
import { BatchWriter } from '../fixtures/oracle/batch-writer.js'
import { median } from './figures.js'

const SEED = 20_261_122
const USERS = 1000
const MARKETS = 8
const BATCH_ORDERS = 25
const ROUND_ORDERS = 2000
const ROUNDS = 20
/** The first rounds fill the tables and warm the code up. */
const ROUNDS_UNCOUNTED = 5

interface Taken {
  readonly commands: readonly Command[]
  readonly outcome: BatchOutcome
  readonly place: BatchPlace
}

/** Writes the batches of a round within one transaction. */
type Writer = (batches: readonly Taken[]) => void

/** The figures of a round, each per order. */
interface Round {
  readonly cpuUs: number
  readonly walBytes: number
  readonly writtenBytes: number
}

/**
 * Compares the two writers of the tables on the same batches in the same process: batch by batch, and merged;
 * both with 2,000 orders a transaction.
 */
export function benchTables(): void {
  const directory = mkdtempSync(join(tmpdir(), 'raay-bench-'))
  try {
    const workload = new Workload()
    const plain = new Side(join(directory, 'plain.db'), plainWriter)
    const merged = new Side(join(directory, 'merged.db'), mergedWriter)
    const opening = workload.opening()
    for (const side of [plain, merged]) side.write(opening)
    for (let round = 0; round < ROUNDS_UNCOUNTED + ROUNDS; round++) {
      const batches = workload.round()
      for (const side of round % 2 === 0 ? [plain, merged] : [merged, plain])
        side.measure(batches, round >= ROUNDS_UNCOUNTED)
    }
    const last = workload.round()
    for (const side of [plain, merged]) side.count(last)
    console.log(`${ROUNDS} rounds of ${ROUND_ORDERS} orders, ${BATCH_ORDERS} a batch, medians per order`)
    console.log(plain.line('batch by batch'))
    console.log(merged.line('merged'))
  } finally {
    rmSync(directory, { recursive: true })
  }
}

class Side {
  readonly #file: string
  readonly #database: Database
  readonly #writer: Writer
  readonly #rounds: Round[] = []
  #statements = 0

  constructor(file: string, writerOf: (database: Database) => Writer) {
    this.#file = file
    this.#database = openDatabase(file)
    this.#database.pragma('wal_autocheckpoint = 0')
    migrateTables(this.#database)
    this.#writer = writerOf(this.#database)
  }

  write(batches: readonly Taken[]): void {
    this.#database.transaction(() => this.#writer(batches)).immediate()
    checkpoint(this.#database)
  }

  count(batches: readonly Taken[]): void {
    this.#statements = statementsDuring(this.#database, () => this.write(batches)) / ROUND_ORDERS
  }

  measure(batches: readonly Taken[], isCounted: boolean): void {
    const writtenBefore = writtenBytes()
    const before = process.cpuUsage()
    this.#database.transaction(() => this.#writer(batches)).immediate()
    const { user, system } = process.cpuUsage(before)
    const written = writtenBytes() - writtenBefore
    const wal = statSync(`${this.#file}-wal`).size
    checkpoint(this.#database)
    if (!isCounted) return
    this.#rounds.push({
      cpuUs: (user + system) / ROUND_ORDERS,
      walBytes: wal / ROUND_ORDERS,
      writtenBytes: written / ROUND_ORDERS,
    })
  }

  line(name: string): string {
    const middle = (pick: (round: Round) => number) => median(this.#rounds.map(pick))
    const figures = [
      `${middle(({ cpuUs }) => cpuUs).toFixed(1)} µs CPU`,
      `${this.#statements.toFixed(2)} statements`,
      `${middle(({ walBytes }) => walBytes).toFixed(0)} bytes of log`,
      `${middle(({ writtenBytes }) => writtenBytes).toFixed(0)} bytes written`,
    ]
    return `  ${name.padEnd(16)} ${figures.join('   ')}`
  }
}

function plainWriter(database: Database): Writer {
  const writer = new BatchWriter(database)
  return batches => {
    for (const { commands, outcome, place } of batches) writer.write(commands, outcome, place)
  }
}

function mergedWriter(database: Database): Writer {
  const tables = new MergedTables(database)
  return batches => {
    for (const { commands, outcome, place } of batches) tables.take(takenBatch(commands, outcome, place))
    tables.flush()
  }
}

/** Returns how many statements are run meanwhile. */
function statementsDuring(database: Database, run: () => void): number {
  const prototype = Object.getPrototypeOf(database.prepare('SELECT 1')) as Record<string, unknown>
  const calls = Object.fromEntries(['run', 'get', 'all'].map(name => [name, prototype[name]]))
  let statements = 0
  for (const [name, call] of Object.entries(calls)) {
    prototype[name] = function (this: unknown, ...values: unknown[]) {
      statements++
      return (call as (...values: unknown[]) => unknown).apply(this, values)
    }
  }
  run()
  Object.assign(prototype, calls)
  return statements
}

/** Returns what the process has written to files, statement journals and spilled pages included. */
function writtenBytes(): number {
  return Number(/wchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
}

/** A busy exchange: eight markets, orders of both sides near one price, merges of what users have twice. */
class Workload {
  readonly #dice = new Dice(SEED)
  readonly #desk = new EngineDesk(false)
  readonly #names = new Map<AccountNumber, string>()
  #sequence = 0

  /** The batches that open the markets and the accounts. */
  opening(): Taken[] {
    for (let market = 0; market < MARKETS; market++)
      this.#desk.create({ code: (MARKET + market) as MarketCode, capacity: lots(1e12) })
    for (let user = 0; user < USERS; user++) {
      const name = `user-${user}`
      this.#names.set(this.#desk.open(name, 1e11), name)
    }
    return [this.#commit()]
  }

  round(): Taken[] {
    return Array.from({ length: ROUND_ORDERS / BATCH_ORDERS }, () => {
      for (let order = 0; order < BATCH_ORDERS; order++) this.#place()
      return this.#commit()
    })
  }

  #place(): void {
    const dice = this.#dice
    const isBuy = dice.percent(50)
    const distance = dice.between(-3, 12)
    this.#desk.place({
      market: (MARKET + dice.between(0, MARKETS - 1)) as MarketCode,
      user: `user-${dice.between(0, USERS - 1)}`,
      side: isBuy ? 'yes' : 'no',
      quantity: dice.between(10, 5000),
      price: dice.percent(5) ? 'market' : 500 + (isBuy ? -distance : distance),
    })
  }

  #commit(): Taken {
    this.#sequence++
    const at = (1_800_000_000_000 + 4 * this.#sequence) as TimeMs
    const outcome = this.#desk.commit(at)
    const commands = this.#desk.batches.pop()?.commands ?? []
    for (const { market, account } of outcome.positions) {
      const name = this.#names.get(account)
      if (name !== undefined) this.#desk.merge(name, market)
    }
    return { commands, outcome, place: { sequence: this.#sequence as Sequence, at } }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) benchTables()
