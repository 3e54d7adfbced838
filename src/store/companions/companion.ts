import { basename } from 'node:path'
import type { Database } from '../database.js'
import { checkpoint } from '../database.js'
import { createPrivateFile } from '../files/private-files.js'
import { rescuePath } from '../files/rescue-path.js'
import { openCompanion } from './companion-database.js'
import type { CompanionPlace } from './companion-fault.js'
import { examineCompanion } from './companion-fault.js'
import type { CompanionKind } from './companion-kind.js'
import { endNoting, Outbox } from './companion-outbox.js'
import type { ChainHead } from './decision-chain.js'
import { chainHead } from './decision-chain.js'

const IN_MEMORY = ':memory:'
/** The log of what happened may go on: it refuses nobody anything. */
const ALWAYS_WRITTEN = ['audit']

/** A change was refused because the file of a companion cannot be trusted; nothing was changed. */
export class CompanionShutError extends Error {
  override readonly name = 'CompanionShutError'
  readonly companion: CompanionKind['companion']

  constructor({ companion, name }: CompanionKind, doubt: string) {
    super(`${name} cannot be changed: ${doubt}`)
    this.companion = companion
  }
}

/** The part of a connection that the stores of companions use. */
export interface CompanionWriter {
  readonly prepare: Database['prepare']
  /** Like that of SQLite's connection: nests, and rolls back what throws. */
  transaction<Args extends unknown[], Result>(act: (...args: Args) => Result): (...args: Args) => Result
}

export interface CompanionOptions extends CompanionPlace {
  /** Begins with an empty file even where the exchange must have had one, and takes that of another one. */
  readonly isLenient?: boolean | undefined
  /** How it stands to a log elsewhere: its changes go there, or come from there. Undefined without one. */
  readonly replication?: 'leads' | 'follows' | undefined
}

/**
 * A companion of a running exchange. If its file is in doubt at the start, nothing touches the file: an empty
 * one in memory stands in, which refuses changes. If its file is moved while it runs, what is open is still
 * read, and changes are refused.
 */
export class Companion implements CompanionWriter {
  /** Why the file is not trusted; undefined if it is. */
  #doubt: string | undefined
  readonly #database: Database
  readonly #kind: CompanionKind
  readonly #place: CompanionPlace
  readonly #head: () => ChainHead | undefined
  /** The decision that the mark names. */
  #marked = -1
  #follows: boolean
  #outbox: Outbox | undefined
  /** True if an empty file in memory stands in. */
  readonly isStandIn: boolean
  /** True if the file was missing. */
  readonly isNew: boolean

  /** Opens the file. */
  constructor(options: CompanionOptions, kind: CompanionKind) {
    const { path, exchange, mark, replication } = options
    this.#kind = kind
    this.#place = options
    const state =
      path === IN_MEMORY ? ({ kind: 'missing' } as const) : examineCompanion(placeOf(options), kind)
    this.isNew = state.kind === 'missing'
    if (state.kind === 'doubtful') this.#doubt = `${basename(path)}: ${state.fault}`
    if (this.isNew && isExpected(options)) this.#doubt = `${basename(path)}: it is missing or empty`
    this.isStandIn = this.#doubt !== undefined
    this.#database = openCompanion(this.isStandIn ? IN_MEMORY : path, kind, exchange, table =>
      this.#check(table),
    )
    this.#head = chainHead(this.#database)
    if (replication === undefined) endNoting(this.#database)
    this.#follows = replication === 'follows'
    if (replication === 'leads' && !this.isStandIn) this.#outbox = new Outbox(this.#database)
    if (!this.isStandIn && mark !== undefined) this.noteHead()
  }

  get prepare(): Database['prepare'] {
    return this.#database.prepare.bind(this.#database) as Database['prepare']
  }

  /** True while another exchange changes it: nothing here does. */
  get follows(): boolean {
    return this.#follows
  }

  get doubt(): string | undefined {
    return this.#doubt
  }

  /** The files to be watched while it runs. */
  get files(): readonly string[] {
    const { path } = this.#place
    return this.isStandIn || path === IN_MEMORY ? [] : [path, `${path}-wal`]
  }

  transaction<Args extends unknown[], Result>(act: (...args: Args) => Result): (...args: Args) => Result {
    return (...args) => {
      // Immediate: SQLite waits for the lock to write only as long as the transaction has read nothing.
      const result = this.#database.transaction(() => act(...args)).immediate()
      // After this point the change is on disk, unless it is part of the caller's.
      if (!this.#database.inTransaction) this.noteHead()
      return result
    }
  }

  /** Names the last decision in the mark. If that fails, the mark says less than it could, until it works. */
  noteHead(): void {
    const { mark } = this.#place
    if (mark === undefined || this.#doubt !== undefined || this.#follows) return
    const head = this.#head()
    if (head === undefined || head.number === this.#marked) return
    try {
      mark.write(head)
      this.#marked = head.number
    } catch {
      // Without room or rights the mark stays as it is; the next change tries again.
    }
  }

  /** Returns what notes its changes, which may be made from now on. Undefined for one that stands in. */
  lead(): Outbox | undefined {
    if (this.isStandIn) return undefined
    this.#outbox ??= new Outbox(this.#database)
    this.#follows = false
    this.noteHead()
    return this.#outbox
  }

  /** Refuses changes from now on; what is open is still read. */
  shut(doubt: string): void {
    this.#doubt ??= doubt
  }

  /** Copies what is open, even if it no longer has a name, beside it; returns the copy. */
  rescue(): string {
    const copy = rescuePath(this.#place.path)
    createPrivateFile(copy)
    this.#database.prepare('VACUUM INTO ?').run(copy)
    return copy
  }

  /** Moves the log into the file. */
  checkpoint(): void {
    checkpoint(this.#database)
  }

  close(): void {
    this.#database.close()
  }

  #check(table: string): void {
    if (this.#follows) throw new CompanionShutError(this.#kind, 'this exchange follows another one')
    if (this.#doubt === undefined || ALWAYS_WRITTEN.includes(table)) return
    throw new CompanionShutError(this.#kind, this.#doubt)
  }
}

/** Leaves out what a lenient exchange does not compare. */
function placeOf({ path, exchange, mark, isLenient = false }: CompanionOptions): CompanionPlace {
  return isLenient ? { path } : { path, exchange, mark }
}

/** Returns true if the exchange has decided something that must be in the file. */
function isExpected({ mark, isLenient = false }: CompanionOptions): boolean {
  return mark !== undefined && !isLenient && mark.read()?.number !== 0
}
