import type { Database, Statement } from '../sqlite.js'
import type { RowImage } from './table-rows.js'
import { COUNTERS, RowReader, rowTables } from './table-rows.js'

/** Tables of each companion. */
export const OUTBOX_TABLES = `
  -- Keys of rows whose last change a log elsewhere lacks, each once. Kept by triggers while there is a log.
  CREATE TABLE outbox (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name   TEXT    NOT NULL,
    key    TEXT    NOT NULL,
    UNIQUE (name, key)
  ) STRICT;
  -- Where that log was last known to have all other rows as they are here: its pack "place", with its hash,
  -- of tables of "version"; place 0 if nothing is known of the rest. "owner" led the log then, or is about
  -- to; "earlier" are those that this file's exchange had before, the latest first, with spaces between.
  CREATE TABLE replicated (
    owner   TEXT    NOT NULL,
    earlier TEXT    NOT NULL,
    place   INTEGER NOT NULL,
    hash    TEXT    NOT NULL,
    version INTEGER NOT NULL
  ) STRICT;
  `

/** The latest epoch of a pack that a file has: who led before it leads no more. */
export const PACK_EPOCH_COLUMN = 'ALTER TABLE replicated ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;'

/** A pack that a log holds. */
export interface PackPlace {
  /** Counted from 1; 0 for none. */
  readonly place: number
  readonly hash: string
}

/** The last pack with which a log was known to have all that a companion's file has, but for its outbox. */
export interface Lineage extends PackPlace {
  readonly owner: string
  readonly earlier: string
  readonly version: number
  readonly epoch: number
}

/** The rows that a log has with one of its packs. */
export interface Held extends PackPlace {
  /** The last number of the outbox among them. */
  readonly number: number
  /** That of the exchange which put the pack. */
  readonly epoch: number
}

/** Returns the lineage of a file; undefined for one that has none. */
export function readLineage(database: Database): Lineage | undefined {
  return database
    .prepare<unknown[], Lineage>('SELECT owner, earlier, place, hash, version, epoch FROM main.replicated')
    .get()
}

/** Replaces the lineage of a file. */
export function writeLineage(database: Database, lineage: Lineage | undefined): void {
  database.prepare('DELETE FROM main.replicated').run()
  if (lineage === undefined) return
  const { owner, earlier, place, hash, version, epoch } = lineage
  const insert = database.prepare('INSERT INTO main.replicated VALUES (?, ?, ?, ?, ?, ?)')
  insert.run(owner, earlier, place, hash, version, epoch)
}

/** The owner of a file that counts whatever a log has, since an operator has said so. */
const ACCEPTED = 'accepted'
/** Names of earlier owners that a file keeps: the latest, and the very first one. */
const EARLIER_MAX = 64

/** Returns the owners whose rows a file has, the latest first. */
export function ownersOf(lineage: Lineage | undefined): readonly string[] {
  if (lineage === undefined) return []
  return [lineage.owner, ...lineage.earlier.split(' ')].filter(name => name !== '')
}

/** Returns the earlier owners of a file that gets a new one. */
export function earlierOwners(lineage: Lineage | undefined, owner: string): string {
  const names = ownersOf(lineage).filter(name => name !== owner)
  // Of starts that the log did not hear of there may be many; behind them is one that it heard of.
  return (names.length <= EARLIER_MAX ? names : [...names.slice(0, EARLIER_MAX), names.at(-1)]).join(' ')
}

export const isAccepted = (lineage: Lineage | undefined): boolean => ownersOf(lineage).includes(ACCEPTED)

const withoutAccepted = (lineage: Lineage) => ownersOf(lineage).filter(name => name !== ACCEPTED)

/** Lets a file count whatever a log has, at its next start with one. */
export function acceptLineage(database: Database): void {
  const earlier = earlierOwners(readLineage(database), ACCEPTED)
  database.transaction(() => {
    database.exec('DELETE FROM main.outbox')
    writeLineage(database, { owner: ACCEPTED, earlier, place: 0, hash: '', version: 0, epoch: 0 })
  })()
}

/**
 * Returns the lineage of a file that counts until others lead, also if it was accepted.
 *
 * @param last the owner of a log's last pack, behind which it counts
 */
export function adoptedLineage(lineage: Lineage, last?: string): Lineage {
  const others = withoutAccepted(lineage).filter(name => name !== last)
  const [owner = '', ...earlier] = last === undefined ? others : [last, ...others]
  return { ...lineage, owner, earlier: earlier.join(' ') }
}

/**
 * Takes note that changes of a file are not noted from here on. Its owners stay: they say whether others have
 * led its log since.
 */
export function endNoting(database: Database): void {
  const lineage = readLineage(database)
  if (lineage === undefined) return
  if (lineage.place === 0 && !isAccepted(lineage) && isOutboxEmpty(database)) return
  database.transaction(() => {
    database.exec('DELETE FROM main.outbox')
    writeLineage(database, { ...adoptedLineage(lineage), place: 0, hash: '' })
  })()
}

/** Makes a file another exchange's, or nobody's: no log has anything to do with it. */
export function forgetLineage(database: Database): void {
  const last = (table: string) => database.prepare(`SELECT max(rowid) FROM main.${table}`).pluck().get()
  if (last('replicated') === null && last('outbox') === null) return
  database.transaction(() => {
    database.exec('DELETE FROM main.outbox; DELETE FROM main.replicated')
  })()
}

/** Returns the highest number that an outbox has ever given. */
export function outboxCounter(database: Database): number {
  const select = `SELECT seq FROM main.${COUNTERS} WHERE name = 'outbox'`
  return database.prepare<unknown[], number>(select).pluck().get() ?? 0
}

/** Lets an outbox go on behind a number. */
export function setCounter(database: Database, number: number): void {
  database.prepare(`DELETE FROM main.${COUNTERS} WHERE name = 'outbox'`).run()
  database.prepare(`INSERT INTO main.${COUNTERS} (name, seq) VALUES ('outbox', ?)`).run(number)
}

/** Removes what a log has. */
export function pruneOutbox(database: Database, through: number): void {
  database.prepare('DELETE FROM main.outbox WHERE number <= ?').run(through)
}

export function isOutboxEmpty(database: Database): boolean {
  return database.prepare('SELECT 1 FROM main.outbox LIMIT 1').get() === undefined
}

/** Some of the rows in an outbox, as they are, and the last number among them. */
export interface OutboxRows {
  readonly rows: readonly RowImage[]
  readonly through: number
}

/** Reads the rows in the outbox of a companion that an exchange has open. */
export class OutboxReader {
  readonly #database: Database
  readonly #reader: RowReader
  readonly #select: Statement<{ readonly number: number; readonly name: string; readonly key: string }>

  constructor(database: Database) {
    this.#database = database
    this.#reader = new RowReader(database, rowTables(database))
    this.#select = database.prepare(
      'SELECT number, name, key FROM main.outbox WHERE number > ? ORDER BY number',
    )
  }

  /**
   * Returns the rows behind a number as of one moment, up to a length of text, and at least one; undefined
   * if there are none.
   */
  read(after: number, lengthMax: number): OutboxRows | undefined {
    return this.#database.transaction(() => {
      const rows: RowImage[] = []
      let through = after
      let length = 0
      for (const { number, name, key } of this.#select.iterate(after)) {
        const image = this.#reader.image(name, JSON.parse(key) as unknown[])
        rows.push(image)
        through = number
        length += JSON.stringify(image).length
        if (length >= lengthMax) break
      }
      return rows.length === 0 ? undefined : { rows, through }
    })()
  }
}

/** Notes which rows of a companion change, in the transaction that changes them, until a log has them. */
export class Outbox {
  readonly #database: Database
  readonly #last: Statement<number | null>
  #told: () => void = () => undefined
  #isDue = false

  constructor(database: Database) {
    this.#database = database
    this.#last = database.prepare<unknown[], number | null>('SELECT max(number) FROM main.outbox').pluck()
    database.function('row_noted', () => {
      this.#note()
      return null
    })
    // Otherwise a row that REPLACE removes would go without a trigger.
    database.pragma('recursive_triggers = ON')
    for (const { name, key, counts } of rowTables(database)) {
      if (name === COUNTERS) continue
      const counter = counts ? noteOf(COUNTERS, `json_array('${name}')`) : ''
      const row = (of: string) =>
        noteOf(name, `json_array(${key.map(column => `${of}."${column}"`).join(', ')})`)
      database.exec(`
        CREATE TEMP TRIGGER noted_insert_${name} AFTER INSERT ON main.${name}
          BEGIN ${row('NEW')} ${counter} SELECT row_noted(); END;
        CREATE TEMP TRIGGER noted_delete_${name} AFTER DELETE ON main.${name}
          BEGIN ${row('OLD')} SELECT row_noted(); END;
        CREATE TEMP TRIGGER noted_update_${name} AFTER UPDATE ON main.${name}
          BEGIN ${row('OLD')} ${row('NEW')} SELECT row_noted(); END;`)
    }
  }

  /** Calls back after each commit that has changed rows, and perhaps after others. */
  onChange(told: () => void): void {
    this.#told = told
  }

  /** The number of the last change that may wait for the log; 0 for none. */
  get last(): number {
    return this.#last.get() ?? 0
  }

  /** Removes what the log has, and says which pack had it, of which epoch. */
  acknowledge({ number, place, hash, epoch }: Held): void {
    const database = this.#database
    database
      .transaction(() => {
        pruneOutbox(database, number)
        const lineage = readLineage(database)
        if (lineage !== undefined) writeLineage(database, { ...adoptedLineage(lineage), place, hash, epoch })
      })
      .immediate()
  }

  #note(): void {
    if (this.#isDue) return
    this.#isDue = true
    // The transaction has ended by then, for all of them end in the same turn.
    queueMicrotask(() => {
      this.#isDue = false
      if (this.#database.open) this.#told()
    })
  }
}

/**
 * Returns the statements of a trigger: the row gets a new number, at the end. Not by REPLACE, which would
 * become IGNORE in a statement that ignores conflicts. Within triggers, tables stand without their database.
 */
function noteOf(name: string, key: string): string {
  return `DELETE FROM outbox WHERE name = '${name}' AND key = ${key};
    INSERT INTO outbox (name, key) VALUES ('${name}', ${key});`
}
