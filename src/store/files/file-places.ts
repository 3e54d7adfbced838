import type { BigIntStats } from 'node:fs'
import { statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'

/** Which file a name stands for: its device and inode. */
type Identity = string

const GONE: Identity = 'gone'
/** Errors that say that no file has this name; any other says nothing about it. */
const GONE_CODES: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR']
/** Looks in a row that must find the same: one alone may fall into a restore's moment between two renames. */
const LOOKS = 2

/** The files of a running exchange are no longer where it opened them; the message names them. */
export class FilesMovedError extends Error {
  override readonly name = 'FilesMovedError'
  /** The paths that stand for other files now, or for none. */
  readonly paths: readonly string[]

  constructor(message: string, paths: readonly string[]) {
    super(message)
    this.paths = paths
  }
}

/**
 * Knows which files an exchange has open and notices when their names come to stand for others. SQLite goes
 * on with a file that was deleted or replaced, and what it commits then is gone when the process ends. Asks
 * for device and inode with `stat`: opening the files would drop SQLite's locks. While connections are open,
 * SQLite keeps these files itself: a checkpoint may shorten the log, but only the last connection deletes it.
 */
export class FilePlaces {
  readonly #identities: ReadonlyMap<string, Identity>
  #looksFailed = 0

  /** @param paths of files that are open now */
  constructor(paths: readonly string[]) {
    this.#identities = new Map(paths.map(path => [path, identityNow(path)]))
  }

  /** Looks once; to be called every second. Returns the error when two looks in a row found others. */
  async look(): Promise<FilesMovedError | undefined> {
    const found = await Promise.all([...this.#identities].map(([path, known]) => changeOf(path, known)))
    const changes = found.filter(change => change !== undefined)
    this.#looksFailed = changes.length === 0 ? 0 : this.#looksFailed + 1
    if (this.#looksFailed < LOOKS) return undefined
    return new FilesMovedError(
      changes.map(({ what }) => what).join(', '),
      changes.map(({ path }) => path),
    )
  }
}

interface Change {
  readonly path: string
  readonly what: string
}

async function changeOf(path: string, known: Identity): Promise<Change | undefined> {
  const now = await identityLater(path)
  if (now === undefined || (now === known && now !== GONE)) return undefined
  const what = `${basename(path)} was ${now === GONE ? 'deleted or renamed' : 'replaced by another file'}`
  return { path, what }
}

function identityNow(path: string): Identity {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? GONE : identityOf(found)
}

/** Undefined where the system does not say. */
async function identityLater(path: string): Promise<Identity | undefined> {
  try {
    return identityOf(await stat(path, { bigint: true }))
  } catch (error) {
    return GONE_CODES.includes((error as NodeJS.ErrnoException).code) ? GONE : undefined
  }
}

const identityOf = ({ dev, ino }: BigIntStats): Identity => `${dev} ${ino}`
