import type { Database } from '../../store/database.js'
import type { Check } from './check.js'
import { fail, ok, warn } from './check.js'

/** The end of life of each long-term Node release (nodejs/Release). */
const NODE_ENDS: Readonly<Record<string, string>> = { 20: '2026-04-30', 22: '2027-04-30', 24: '2028-04-30' }

/** Checks that this version of Node is still maintained. */
export function nodeLifeCheck(now: number, version = process.version): Check {
  const major = version.slice(1).split('.')[0] ?? ''
  const end = NODE_ENDS[major]
  if (end === undefined) return ok('node', `${version}, whose end of life is not known here`)
  if (now <= Date.parse(end)) return ok('node', `${version}, maintained until ${end}`)
  return warn('node', `${version}, not maintained since ${end}`, 'install Node 22 or 24')
}

/** The tables use full-text search; threads and the write-ahead log need the rest. */
const NEEDED = ['ENABLE_FTS5']
const FORBIDDEN = ['THREADSAFE=0', 'OMIT_WAL', 'OMIT_AUTOINIT']

/** Checks the version of SQLite and how it was compiled. */
export function sqliteCheck(database: Database): Check {
  const [version] = database.prepare('SELECT sqlite_version()').raw().get() as [string]
  const options = (database.pragma('compile_options') as { readonly compile_options: string }[]).map(
    row => row.compile_options,
  )
  return sqliteVerdict(version, options)
}

export function sqliteVerdict(version: string, options: readonly string[]): Check {
  const wrong = [
    ...NEEDED.filter(name => !options.includes(name)).map(name => `without ${name}`),
    ...FORBIDDEN.filter(name => options.includes(name)).map(name => `with ${name}`),
  ]
  const advice = 'install better-sqlite3 as npm has it, with its own SQLite'
  if (wrong.length > 0) return fail('sqlite', `${version}, compiled ${wrong.join(', ')}`, advice)
  const safe = options.find(name => name.startsWith('THREADSAFE')) ?? 'THREADSAFE not named'
  return ok('sqlite', `${version}, with FTS5, ${safe}, ${options.length} compile options`)
}
