import { secretBytes } from '../../access/secrets.js'
import type { StoredBackup } from '../../backup/backup-list.js'
import type { Identity } from '../../backup/encryption/age-keys.js'
import { fetchBackup } from '../../backup/fetch-backup.js'
import type { StoreKeys } from '../../backup/stores/encrypted-store.js'
import type { StoreSettings } from '../../backup/stores/open-store.js'
import { openStore } from '../../backup/stores/open-store.js'
import { endOfJournal } from '../../store/audit/journal-batches.js'
import { wholeJournal } from '../../store/audit/last-sequence.js'
import { openReadOnly, openScratch } from '../../store/database.js'
import type { Sequence } from '../../core/units.js'
import { COMPANIONS, companionBackupPath } from '../../store/files/companion-files.js'
import type { JournalEnd } from '../../store/journal.js'
import { linkFault } from '../../store/journal.js'
import { COMPANION_KINDS } from '../companions/companion-kinds.js'
import { fetchCompanion } from '../companions/fetch-companion.js'
import { ObjectPacks } from '../companions/object-packs.js'
import { objectName } from './journal-object.js'
import { ObjectLog } from './object-log.js'
import type { Marker, ReplicaStore } from './replica-store.js'
import { ReplicaRefusal, readMarker, replicaStore, wholeBackups } from './replica-store.js'

interface FetchOptions {
  /** The directory for the files. */
  readonly folder: string
  readonly identities: StoreKeys['identities']
  /** Ends the log behind its last line, so that the exchange that wrote it stops. */
  readonly takesOver: boolean
}

/** A replica in its place. */
export interface FoundReplica {
  /** Returns the file of an exchange as of a backup, whose journal goes on to the last line. */
  fetch(options: FetchOptions): Promise<string>
}

/** Looks for a replica at a place; undefined if there is none. */
export async function openReplicaAt(
  settings: StoreSettings,
  { identities, now }: { readonly identities: readonly Identity[]; readonly now: () => number },
): Promise<FoundReplica | undefined> {
  const store = replicaStore(await openStore(settings, { folder: '', now, identities, mustExist: true }))
  const marker = await readMarker(store)
  return marker && { fetch: options => fetchReplica(store, marker, options) }
}

/**
 * Fetches a replica: its newest backup, and the lines behind it, whose chain is checked. Throws with a
 * message for the operator.
 */
export async function fetchReplica(
  store: ReplicaStore,
  { exchange, first }: Marker,
  options: FetchOptions,
): Promise<string> {
  const { folder, identities, takesOver } = options
  const keys = { recipients: [], identities }
  const log = new ObjectLog({ store, exchange, keys, own: () => undefined })
  const base = await newestBase(store, { exchange, first }, log)
  const file = await fetchBackup(store, base, folder)
  const by = secretBytes(8).toString('hex')
  let end = await addLines(file, log, journalEnd(file))
  while (takesOver) {
    const ending = await log.fence(end, by, first)
    if (ending === 'ended') break
    if (ending === 'ended by another') {
      throw new ReplicaRefusal(
        `${store.place} was taken over already, behind batch ${end.sequence}: if that was you, ` +
          'restore it without --take-over',
      )
    }
    end = await addLines(file, log, end)
  }
  for (const companion of COMPANIONS) {
    await fetchCompanion(new ObjectPacks(store, companion), {
      kind: COMPANION_KINDS[companion],
      path: companionBackupPath(file, companion),
      identities,
      fence: takesOver ? by : undefined,
    })
  }
  // A disk that was unmounted meanwhile has no rows either, and would be taken for one without any.
  if ((await readMarker(store)) !== undefined) return file
  throw new Error(`${store.place} is no longer a replica: mount its disk, and restore it again`)
}

/**
 * Returns the newest backup that the lines of a replica follow. One that is ahead of them counts if there is
 * no other: an exchange that the replica went on without may have made it. Throws ReplicaRefusal.
 */
export async function newestBase(
  store: ReplicaStore,
  { exchange, first: begun }: Marker,
  log: Pick<ObjectLog, 'first' | 'last' | 'head' | 'hashOf'>,
): Promise<StoredBackup> {
  const first = (await log.first()) ?? begun
  const last = (await log.last())?.end.sequence ?? begun - 1
  let ahead: StoredBackup | undefined
  for (const backup of await wholeBackups(store, exchange)) {
    const { sequence = 0, journal_hash: hash } = backup.manifest ?? {}
    if (sequence < first - 1) break
    if (sequence > last) {
      ahead ??= backup
      continue
    }
    const isBefore = sequence === first - 1
    const there = isBefore
      ? (await log.head(objectName(first)))?.before
      : await log.hashOf(sequence as Sequence)
    // A backup of no batches names no hash.
    if (there === undefined || sequence === 0 || there.toString('hex') === hash) return backup
  }
  if (ahead !== undefined) return ahead
  throw new ReplicaRefusal(`${store.place} has no backup that its batches, ${first} and later, follow`)
}

function journalEnd(file: string): JournalEnd {
  const database = openReadOnly(file)
  try {
    return endOfJournal(database, wholeJournal(database) ?? 'main.journal')
  } finally {
    database.close()
  }
}

/** Adds the lines behind one to the journal in a file; returns the last. */
async function addLines(file: string, log: ObjectLog, after: JournalEnd): Promise<JournalEnd> {
  const database = openScratch(file)
  try {
    const insert = database.prepare('INSERT INTO main.journal VALUES (?, ?, ?, ?, ?)')
    let end = after
    for await (const lines of log.read(after.sequence)) {
      database.transaction(() => {
        for (const line of lines) {
          const fault = linkFault(end, line)
          if (fault !== undefined) throw new ReplicaRefusal(`the replica cannot be followed: ${fault}`)
          insert.run(line.sequence, line.shard, line.at, line.commands, line.hash)
          end = line
        }
      })()
    }
    return end
  } finally {
    database.close()
  }
}
