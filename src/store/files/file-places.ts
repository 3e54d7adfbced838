import type { BigIntStats } from 'node:fs'
import { statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'

/** The file behind a name: its device and inode. */
type Identity = string

const GONE: Identity = 'gone'
/** Errors that mean the file does not exist; any other proves nothing. */
const GONE_CODES: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR']
/** Consecutive failed looks before an alarm: a single one may fall between the two renames of a restore. */
const LOOKS = 2

/** The files of a running exchange are no longer where it opened them; the message names them. */
export class FilesMovedError extends Error {
  override readonly name = 'FilesMovedError'
  /** The paths that now name other files, or none. */
  readonly paths: readonly string[]

  constructor(message: string, paths: readonly string[]) {
    super(message)
    this.paths = paths
  }
}

/**
 * Notices when the files that an exchange has open are moved, replaced or deleted. SQLite keeps using a
 * deleted file, and everything committed to it is lost when the process ends. Compares device and inode with
 * `stat`, because opening the files would drop SQLite's locks. SQLite itself keeps these files while
 * connections are open: a checkpoint may shorten the log, but only the last connection deletes it.
 */
export class FilePlaces {
  readonly #identities: ReadonlyMap<string, Identity>
  #looksFailed = 0

  /** @param paths of files that are open now */
  constructor(paths: readonly string[]) {
    this.#identities = new Map(paths.map(path => [path, identityNow(path)]))
  }

  /** Looks once; to be called every second. Returns an error after two consecutive looks found a change. */
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

/** Returns undefined if the system cannot tell. */
async function identityLater(path: string): Promise<Identity | undefined> {
  try {
    return identityOf(await stat(path, { bigint: true }))
  } catch (error) {
    return GONE_CODES.includes((error as NodeJS.ErrnoException).code) ? GONE : undefined
  }
}

const identityOf = ({ dev, ino }: BigIntStats): Identity => `${dev} ${ino}`
