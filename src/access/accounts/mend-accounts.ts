import { existsSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { openCompanion } from '../../store/companions/companion-database.js'
import { examineCompanion } from '../../store/companions/companion-fault.js'
import type { CompanionKind } from '../../store/companions/companion-kind.js'
import { chainHead, restartChain } from '../../store/companions/decision-chain.js'
import { acceptLineage } from '../../store/companions/companion-outbox.js'
import { DecisionMark } from '../../store/companions/decision-mark.js'
import { companionPath } from '../../store/files/companion-files.js'
import { openDataDirectory } from '../../store/files/data-directory.js'
import { readStamp } from '../../store/files/exchange-id.js'
import { IdFile } from '../../store/files/id-file.js'
import { syncPath } from '../../store/files/sync-path.js'
import { ACCESS_CHAIN, ACCESS_FILE } from './access-schema.js'

/** The accounts that were taken as they are. */
export interface AcceptedAccounts {
  /** Why they were in doubt; undefined if they were not, and nothing was changed. */
  readonly doubt: string | undefined
  readonly accounts: number
}

const SUFFIXES = ['', '-wal', '-shm', '-journal']

/**
 * Makes the accounts in the data directory of a stopped exchange count as they are, whatever the exchange
 * remembers of them, and its site, too. Throws with a message for the operator if they cannot be read.
 *
 * @param site the kind of the site's file
 */
export function acceptAccounts(directory: string, site: CompanionKind): AcceptedAccounts {
  return withExchange(directory, (file, exchange) => {
    const path = companionPath(file, 'accounts')
    const mark = new DecisionMark(file)
    const state = examineCompanion({ path, exchange, mark }, ACCESS_FILE)
    if (state.kind === 'missing') {
      throw new Error(`there is no ${path}: put a copy there, or begin without accounts with raay access new`)
    }
    // Its pages and its tables, regardless of owner and of what was decided before.
    const { chain: _, ...unchained } = ACCESS_FILE
    const bare = examineCompanion({ path }, { ...unchained, isSynced: false })
    if (bare.kind === 'doubtful') throw new Error(`${path} cannot be accepted: ${bare.fault}`)
    const last = mark.read()?.number ?? 0
    const database = openCompanion(path, ACCESS_FILE, exchange)
    try {
      acceptLineage(database)
      const head = chainHead(database)
      if (state.kind === 'doubtful')
        restartChain(database, ACCESS_CHAIN, Math.max(last, head()?.number ?? 0) + 1)
      const now = head()
      if (now !== undefined) mark.write(now)
      syncPath(mark.path)
      acceptSite(companionPath(file, 'site'), exchange, site)
      const count = database.prepare<unknown[], number>('SELECT count(*) FROM accounts').pluck()
      return { doubt: state.kind === 'doubtful' ? state.fault : undefined, accounts: count.get() ?? 0 }
    } finally {
      database.close()
    }
  })
}

/**
 * Lets a stopped exchange begin without accounts. Returns where its file of accounts was moved; undefined if
 * there was none. Throws with a message for the operator if there is no exchange.
 */
export function beginWithoutAccounts(directory: string, now: number): string | undefined {
  return withExchange(directory, file => {
    const path = companionPath(file, 'accounts')
    const time = new Date(now).toISOString().replace(/[-:]/g, '')
    const aside = join(dirname(path), `${basename(path, '.db')}-aside-${time}.db`)
    const isThere = existsSync(path)
    for (const suffix of SUFFIXES) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix)
    syncPath(dirname(path))
    // After this point an interruption leaves an exchange whose accounts are missing, which closes sign-in.
    new DecisionMark(file).allowNone()
    return isThere ? aside : undefined
  })
}

/** Gives a site from elsewhere to the exchange. A damaged one stays: the next start says why. */
function acceptSite(path: string, exchange: number, kind: CompanionKind): void {
  if (examineCompanion({ path }, kind).kind !== 'sound') return
  const database = openCompanion(path, kind, exchange)
  try {
    acceptLineage(database)
  } finally {
    database.close()
  }
}

function withExchange<Done>(directory: string, act: (file: string, exchange: number) => Done): Done {
  if (!existsSync(directory)) throw new Error(`there is no directory ${directory}`)
  const { file, path, release } = openDataDirectory(directory)
  try {
    const exchange = new IdFile(file).read() ?? readStamp(file)?.id
    if (exchange === undefined || exchange === 0) throw new Error(`there is no exchange in ${path}`)
    return act(file, exchange)
  } finally {
    release()
  }
}
