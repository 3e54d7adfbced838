import { archiveMark } from './archive/archive-mark.js'
import { archivePath } from './archive/archive-path.js'
import { ARCHIVE, ARCHIVED_TABLES } from './archive/archived-tables.js'
import { sizeOfFile } from './files/file-bytes.js'
import { journalPath } from './files/journal-path.js'
import type { Database } from './sqlite.js'

/** The name under which a connection to the tables has the journal. */
const JOURNAL = 'log'

/**
 * Makes journal and archive readable beside the tables, wherever they are. The names say how far one reads:
 *
 * - `whole_journal`: all batches, from the first on; `journal`: those up to the one that the tables have
 *   reached; `live_journal`: those of `journal` that are not archived. So a read transaction that begins with
 *   the tables sees both at one moment, however far the journal is ahead.
 * - `orders`: the rows in the file of the tables; `archived_orders`: those in the archive; `whole_orders`:
 *   both. The same for the other tables of `ARCHIVED_TABLES`.
 *
 * In joins and recursive queries, SQLite would copy a `whole_` view to memory: they name both tables.
 */
export function showParts(database: Database, path: string): void {
  const select = "SELECT name FROM sqlite_schema WHERE type = 'table'"
  const tables = new Set(database.prepare<unknown[], string>(select).pluck().all())
  if (!tables.has('reached')) return
  const isInside = tables.has('journal')
  if (!isInside) {
    const journal = journalPath(path)
    if (sizeOfFile(journal) === 0) return
    attach(database, journal, JOURNAL)
  }
  const mark = archiveMark(database)
  const archive = mark && archivePath(path, mark)
  const hasArchive = archive !== undefined && sizeOfFile(archive) === mark?.bytes
  if (hasArchive) attach(database, archive, ARCHIVE)
  const live = `SELECT * FROM ${isInside ? 'main' : JOURNAL}.journal${notArchived(mark?.sequence)}`
  const archived = hasArchive ? `SELECT * FROM ${ARCHIVE}.journal UNION ALL ` : ''
  const upToReached = 'sequence <= (SELECT sequence FROM main.reached)'
  const journals = `CREATE TEMP VIEW whole_journal AS ${archived}${live};
    CREATE TEMP VIEW journal AS SELECT * FROM whole_journal WHERE ${upToReached};
    CREATE TEMP VIEW live_journal AS SELECT * FROM (${live}) WHERE ${upToReached}`
  // A table that is gone is missed by what reads it.
  const shown = tables.has('archived') ? ARCHIVED_TABLES.filter(table => tables.has(table)) : []
  const views = shown.map(table => (hasArchive ? viewsOf(database, table) : viewsWithoutArchive(table)))
  database.exec([journals, ...views].join(';'))
}

/**
 * Omits the batches that a killed archiving has left in the journal. The plus keeps SQLite from walking there
 * from this batch on in a query that begins at a later one.
 */
function notArchived(sequence: number | undefined): string {
  return sequence === undefined ? '' : ` WHERE +sequence > ${sequence}`
}

function attach(database: Database, path: string, name: string): void {
  const known = database.pragma('database_list') as readonly { readonly name: string }[]
  if (!known.some(one => one.name === name)) database.prepare(`ATTACH ? AS ${name}`).run(path)
}

/** Removes the names again, before a change of the tables that SQLite would check against them. */
export function hideParts(database: Database): void {
  const views = database.prepare<unknown[], string>("SELECT name FROM sqlite_temp_schema WHERE type = 'view'")
  for (const name of views.pluck().all()) database.exec(`DROP VIEW temp.${name}`)
}

/** Every start opens a dozen connections; without an archive none has to look for columns. */
function viewsWithoutArchive(table: string): string {
  return `CREATE TEMP VIEW archived_${table} AS SELECT * FROM main.${table} WHERE false;
    CREATE TEMP VIEW whole_${table} AS SELECT * FROM main.${table}`
}

/** An archive of an older version lacks the columns that were added later: they have their defaults. */
function viewsOf(database: Database, table: string): string {
  const columns = columnsOf(database, 'main', table)
  const known = new Set(columnsOf(database, ARCHIVE, table).map(({ name }) => name))
  const names = columns.map(({ name }) => name).join(', ')
  const cells = columns.map(({ name, fallback }) =>
    known.has(name) ? name : `${fallback ?? 'NULL'} AS ${name}`,
  )
  const archived = `SELECT ${cells.join(', ')} FROM ${ARCHIVE}.${table}`
  return `CREATE TEMP VIEW archived_${table} AS ${archived};
    CREATE TEMP VIEW whole_${table} AS SELECT ${names} FROM main.${table} UNION ALL ${archived}`
}

interface Column {
  readonly name: string
  readonly fallback: string | null
}

function columnsOf(database: Database, schema: string, table: string): Column[] {
  const select = 'SELECT name, dflt_value AS fallback FROM pragma_table_info(?, ?) ORDER BY cid'
  return database.prepare<unknown[], Column>(select).all(table, schema)
}
