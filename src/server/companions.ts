import { basename } from 'node:path'
import type { Logger } from 'pino'
import type { Companion as CompanionFile } from '../store/companions/companion.js'
import { DecisionMark } from '../store/companions/decision-mark.js'
import type { Companion } from '../store/files/companion-files.js'
import { sizeOfFile } from '../store/files/file-bytes.js'
import { FilePlaces } from '../store/files/file-places.js'
import { IdFile } from '../store/files/id-file.js'
import { journalPath } from '../store/files/journal-path.js'
import { COMPANION_ADVICE } from './doctor/companion-check.js'

/** The companions of a running exchange. */
export type Companions = Readonly<Record<Companion, CompanionFile>>

const CLOSED: Readonly<Record<Companion, string>> = {
  accounts: 'sign-in is closed, and suspensions and limits of users are not in force; trading goes on',
  site: 'the exchange runs without the site; trading goes on',
}
const FROZEN: Readonly<Record<Companion, string>> = {
  accounts: 'accounts, keys and limits count as they are, and none can be changed; trading goes on',
  site: 'the site is shown as it is, and nothing on it can be changed; trading goes on',
}

/** Lets an exchange that is about to be made begin without accounts. */
export function allowFirstAccounts(file: string): void {
  const isThere = sizeOfFile(file) > 0 || sizeOfFile(journalPath(file)) > 0
  if (!isThere && new IdFile(file).read() === undefined) new DecisionMark(file).allowNone()
}

/** Logs which companions are in doubt at the start. */
export function logDoubts(companions: Companions, log: Logger): void {
  for (const [companion, { doubt }] of entriesOf(companions)) {
    if (doubt === undefined) continue
    log.error(`${doubt}: ${CLOSED[companion]}. To mend it, ${COMPANION_ADVICE[companion]}`)
  }
}

/**
 * Stops changes of a companion whose files are deleted or replaced while the exchange runs, and copies what
 * is open: it would be lost when the process ends.
 */
export class CompanionGuard {
  readonly #companions: Companions
  readonly #places: ReadonlyMap<Companion, FilePlaces>
  readonly #log: Logger

  constructor(companions: Companions, log: Logger) {
    this.#companions = companions
    this.#places = new Map(entriesOf(companions).map(([name, { files }]) => [name, new FilePlaces(files)]))
    this.#log = log
  }

  /** Looks at the files; to be called every second, and twice before the files are closed. */
  async look(): Promise<void> {
    await Promise.all(entriesOf(this.#companions).map(([name, companion]) => this.#lookAt(name, companion)))
  }

  async #lookAt(name: Companion, companion: CompanionFile): Promise<void> {
    if (companion.doubt !== undefined) return
    const moved = await this.#places.get(name)?.look()
    if (moved === undefined || companion.doubt !== undefined) return
    companion.shut(moved.message)
    this.#log.error(`${moved.message}: ${FROZEN[name]}. ${rescued(companion)}, and start again`)
  }
}

function rescued(companion: CompanionFile): string {
  const name = basename(companion.files[0] ?? '')
  try {
    const copy = companion.rescue()
    return `Everything that was acknowledged is in ${copy}: stop the exchange, rename that to ${name}`
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `No copy could be made (${reason}): put ${name} back`
  }
}

const entriesOf = (companions: Companions) => Object.entries(companions) as [Companion, CompanionFile][]
