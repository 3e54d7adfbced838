import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { COMPANIONS, companionName } from '../../store/files/companion-files.js'
import { JOURNAL_FILE } from '../../store/files/journal-path.js'
import { looseMode } from '../../store/files/private-files.js'
import type { Check } from './check.js'
import { ok, warn } from './check.js'

/** The files of an exchange, with their logs and copies. */
const PREFIXES = [
  'raay',
  'archive-',
  JOURNAL_FILE,
  ...COMPANIONS.map(companionName),
  'operator.key',
  'config.json',
]

/** Keeps the command short enough for a terminal; the next run names the rest. */
const NAMED_MAX = 10

/** Checks that only their owner may read the data directory, its files and its backups. */
export function modeCheck(directory: string): Check {
  const backups = join(directory, 'backups')
  const directories = [directory, backups].filter(path => looseMode(path) !== undefined)
  const files = [...raayFiles(directory), ...raayFiles(backups)].filter(path => looseMode(path) !== undefined)
  const loose = [...directories, ...files]
  const [first] = loose
  if (first === undefined) return ok('modes', 'only the owner may read the data')
  const others = loose.length === 1 ? '' : ` and ${loose.length - 1} more`
  const commands = [chmod('700', directories), chmod('600', files)].filter(command => command !== '')
  return warn('modes', `other users may access ${first} (${looseMode(first)})${others}`, commands.join('; '))
}

function chmod(mode: string, paths: readonly string[]): string {
  if (paths.length === 0) return ''
  return `chmod ${mode} ${paths.slice(0, NAMED_MAX).map(quoted).join(' ')}`
}

function quoted(path: string): string {
  return /^[\w./:@%+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}

function raayFiles(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter(name => PREFIXES.some(prefix => name.startsWith(prefix)))
      .map(name => join(directory, name))
  } catch {
    return []
  }
}
