// Lists the directories into which the executable may unpack itself, the best one first.
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

const FLAG = '--cache'
/** Verbs that make the data directory if it is missing. */
const MAKES_DATA = ['start', 'demo']

/**
 * Returns the candidates: where each one is from, its path, and whether somebody named it for this purpose.
 * The data directory is one if it exists or is about to: asking for the version creates none.
 */
export function candidatesOf(argv, env) {
  const flag = valueGiven(argv, FLAG)
  const data = valueGiven(argv, '--data') ?? set(env.RAAY_DATA) ?? 'data'
  const hasData = existsSync(data) || MAKES_DATA.includes(argv[0])
  const cacheHome = absolute(env.XDG_CACHE_HOME)
  const home = absolute(env.HOME)
  const candidates = [
    { from: FLAG, path: flag, isNamed: true },
    { from: 'RAAY_CACHE', path: set(env.RAAY_CACHE), isNamed: true },
    { from: 'XDG_CACHE_HOME', path: cacheHome && join(cacheHome, 'raay') },
    { from: 'HOME', path: cacheHome === undefined && home ? join(home, '.cache/raay') : undefined },
    { from: 'the data directory', path: hasData ? join(data, '.cache') : undefined },
    { from: 'the temporary directory', path: join(tmpdir(), `raay-${process.getuid()}`) },
  ]
  return candidates
    .filter(({ path }) => path !== undefined)
    .map(candidate => ({ isNamed: false, ...candidate, path: resolve(candidate.path) }))
}

/** Removes `--cache <directory>`, which the verbs do not know. */
export function withoutCacheFlag(argv) {
  const at = argv.findIndex(word => word === FLAG || word.startsWith(`${FLAG}=`))
  return at < 0 ? argv : argv.toSpliced(at, argv[at] === FLAG ? 2 : 1)
}

/** Returns the value of `--name value` or `--name=value`. */
function valueGiven(argv, name) {
  const at = argv.findIndex(word => word === name || word.startsWith(`${name}=`))
  if (at < 0) return undefined
  return set(argv[at] === name ? argv[at + 1] : argv[at].slice(name.length + 1))
}

/** An empty text counts as unset. */
const set = text => (text === '' ? undefined : text)
const absolute = path => (set(path) !== undefined && isAbsolute(path) ? path : undefined)
