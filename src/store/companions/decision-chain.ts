import { createHash } from 'node:crypto'
import type { Database, Statement } from '../sqlite.js'
import { OWN_TABLES } from './own-tables.js'

/** Says which rows of a companion are decisions. Whatever is not left out is one, tables to come included. */
export interface ChainRules {
  readonly tablesLeftOut: readonly string[]
  /** Columns that note how something was used. */
  readonly columnsLeftOut: readonly string[]
  /** Conditions on the rows of single tables, which are called `row`. */
  readonly onlyWhere: Readonly<Record<string, string>>
}

/** The last decision, counted from 1; 0 before the first one. */
export interface ChainHead {
  readonly number: number
  /** In hexadecimal. */
  readonly hash: string
}

interface Link {
  readonly number: number
  /** Digests of all rows afterwards and of the change, and the hash over both and the link before. */
  readonly link: Buffer
}

/** A table of each companion with a chain. */
export const DECISIONS_TABLE = `
  -- One row for each row that was added, changed or removed. Kept by triggers: see DecisionChain.
  CREATE TABLE decisions (
    number INTEGER PRIMARY KEY,
    link   BLOB    NOT NULL
  ) STRICT;
  `

const HASH_BYTES = 32
const NOTHING = Buffer.alloc(HASH_BYTES)
/** Links kept; a start checks them all. */
const LINKS_MAX = 10_000
const LEFT_OUT = [...OWN_TABLES, 'decisions']

/** Creates the function that triggers call for each change of a row; `watch` may throw to refuse it. */
export function chainDecisions(database: Database, rules: ChainRules, watch: (table: string) => void): void {
  database.function('decide', (number, before, table, old, now): Buffer => {
    watch(String(table))
    const link = before as Buffer
    const state = Buffer.from(stateIn(link))
    for (const row of [old, now]) if (typeof row === 'string') mix(state, rowHash(String(table), row))
    return linkAfter(link, Number(number), state, sha256(`${table}\n${old ?? ''}\n${now ?? ''}`))
  })
  // Otherwise a row that REPLACE removes would go without a trigger.
  database.pragma('recursive_triggers = ON')
  for (const { table, columns, condition } of decisionTables(database, rules)) {
    const old = rowText('OLD', columns)
    const now = rowText('NEW', columns)
    const where = (row: string) =>
      condition === undefined ? '' : `WHEN ${condition.replaceAll('row.', `${row}.`)}`
    const updated = columns.map(column => `"${column}"`).join(', ')
    database.exec(`
      CREATE TEMP TRIGGER decided_insert_${table} AFTER INSERT ON main.${table} ${where('NEW')}
        BEGIN ${addLink(table, 'NULL', now)} END;
      CREATE TEMP TRIGGER decided_delete_${table} AFTER DELETE ON main.${table} ${where('OLD')}
        BEGIN ${addLink(table, old, 'NULL')} END;
      CREATE TEMP TRIGGER decided_update_${table} AFTER UPDATE OF ${updated} ON main.${table} ${where('OLD')}
        BEGIN ${addLink(table, old, now)} END;`)
  }
}

/**
 * Begins the chain of a new file, or goes on after a change of its tables. A new file's begins with 0, since
 * the file may be missing again.
 */
export function sealRows(database: Database, rules: ChainRules): void {
  const before = lastLink(database)
  const [number, link] =
    before === undefined ? [0, Buffer.alloc(3 * HASH_BYTES)] : [before.number + 1, before.link]
  const sealed = linkAfter(link, number, stateOf(database, rules), NOTHING)
  database.prepare('INSERT INTO main.decisions VALUES (?, ?)').run(number, sealed)
}

/** Seals the rows behind a decision that another version has taken, once more if that was done before. */
export function sealBehind(database: Database, rules: ChainRules, number: number): void {
  database.prepare('DELETE FROM main.decisions WHERE number > ?').run(number)
  sealRows(database, rules)
}

/** Begins the chain once more with the rows that are there, at a number above all before. */
export function restartChain(database: Database, rules: ChainRules, number: number): void {
  const link = linkAfter(Buffer.alloc(3 * HASH_BYTES), number, stateOf(database, rules), NOTHING)
  database.transaction(() => {
    database.exec('DELETE FROM main.decisions')
    database.prepare('INSERT INTO main.decisions VALUES (?, ?)').run(number, link)
  })()
}

/** Returns a function that reads the last decision; undefined for a file without a chain. */
export function chainHead(database: Database): () => ChainHead | undefined {
  const select = selectLast(database)
  return () => {
    const last = select?.get()
    return last && { number: last.number, hash: hashIn(last.link) }
  }
}

/** Returns what breaks the chain, or tells the rows from it; undefined if they are as they were decided. */
export function chainFault(database: Database, rules: ChainRules): string | undefined {
  if (!hasChain(database)) return 'it has no chain of decisions'
  const links = database.prepare<unknown[], Link>('SELECT number, link FROM main.decisions ORDER BY number')
  let before: Link | undefined
  for (const link of links.iterate()) {
    const fault = before === undefined ? undefined : linkFault(before, link)
    if (fault !== undefined) return fault
    before = link
  }
  if (before === undefined) return 'its chain of decisions is empty'
  if (before.link.length === 3 * HASH_BYTES && stateIn(before.link).equals(stateOf(database, rules)))
    return undefined
  return `its rows are not those that decision ${before.number} left`
}

/** Returns the hash of a decision, in hexadecimal; undefined if it is no longer kept. */
export function hashOfDecision(database: Database, number: number): string | undefined {
  if (!hasChain(database)) return undefined
  const select = database
    .prepare<unknown[], Buffer>('SELECT link FROM main.decisions WHERE number = ?')
    .pluck()
  const link = select.get(number)
  return link && hashIn(link)
}

function hasChain(database: Database): boolean {
  return database.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'decisions'").get() !== undefined
}

function selectLast(database: Database): Statement<Link> | undefined {
  if (!hasChain(database)) return undefined
  return database.prepare('SELECT number, link FROM main.decisions ORDER BY number DESC LIMIT 1')
}

const lastLink = (database: Database) => selectLast(database)?.get()

/** Returns the statements of a trigger. Within triggers, names of tables stand without their database. */
function addLink(table: string, old: string, now: string): string {
  return `INSERT INTO decisions SELECT number + 1, decide(number + 1, link, '${table}', ${old}, ${now})
      FROM decisions ORDER BY number DESC LIMIT 1;
    DELETE FROM decisions WHERE number <= (SELECT max(number) FROM decisions) - ${LINKS_MAX};`
}

function linkAfter(before: Buffer, number: number, state: Buffer, change: Buffer): Buffer {
  const hash = sha256(before.subarray(2 * HASH_BYTES), `${number}`, state, change)
  return Buffer.concat([state, change, hash])
}

function linkFault(before: Link, { number, link }: Link): string | undefined {
  if (number !== before.number + 1) return `decision ${before.number + 1} is missing from its chain`
  const change = link.subarray(HASH_BYTES, 2 * HASH_BYTES)
  if (linkAfter(before.link, number, stateIn(link), change).equals(link)) return undefined
  return `decision ${number} does not follow from decision ${before.number}`
}

const stateIn = (link: Buffer) => link.subarray(0, HASH_BYTES)
const hashIn = (link: Buffer) => link.subarray(2 * HASH_BYTES).toString('hex')

/** Calculates the digest of all rows: it does not depend on their order, and each change costs one row. */
function stateOf(database: Database, rules: ChainRules): Buffer {
  const state = Buffer.alloc(HASH_BYTES)
  for (const { table, columns, condition } of decisionTables(database, rules)) {
    const where = condition === undefined ? '' : `WHERE ${condition}`
    const rows = database.prepare<unknown[], string>(
      `SELECT ${rowText('row', columns)} FROM main.${table} AS row ${where}`,
    )
    for (const text of rows.pluck().iterate()) mix(state, rowHash(table, text))
  }
  return state
}

interface DecisionTable {
  readonly table: string
  readonly columns: readonly string[]
  readonly condition: string | undefined
}

function decisionTables(database: Database, rules: ChainRules): DecisionTable[] {
  const tables = database.prepare<unknown[], string>(
    "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY name",
  )
  const columns = database.prepare<unknown[], string>(
    "SELECT name FROM pragma_table_info(?, 'main') ORDER BY cid",
  )
  return tables
    .pluck()
    .all()
    .filter(table => !LEFT_OUT.includes(table) && !rules.tablesLeftOut.includes(table))
    .map(table => ({
      table,
      columns: columns
        .pluck()
        .all(table)
        .filter(column => !rules.columnsLeftOut.includes(column)),
      condition: rules.onlyWhere[table],
    }))
}

/** Returns SQL for the text of a row, in which no two rows are alike. */
function rowText(row: string, columns: readonly string[]): string {
  return columns.map(column => `quote(${row}."${column}")`).join(" || ',' || ")
}

function rowHash(table: string, row: string): Buffer {
  return sha256(`${table}\n${row}`)
}

function mix(state: Buffer, hash: Buffer): void {
  for (let at = 0; at < HASH_BYTES; at++) state[at] = (state[at] ?? 0) ^ (hash[at] ?? 0)
}

function sha256(...parts: readonly (Buffer | string)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
