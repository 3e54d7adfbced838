import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { StoreSettings } from '../../backup/stores/open-store.js'
import { openStore } from '../../backup/stores/open-store.js'
import type { StoreKeys } from '../../backup/stores/encrypted-store.js'
import type { Recipient } from '../../backup/encryption/age-keys.js'
import type { Sequence } from '../../core/units.js'
import { IdFile, idText } from '../../store/files/id-file.js'
import { HeldMarkFile } from '../held-mark.js'
import { JournalReader } from '../journal-reader.js'
import { joinReplica, meetReplica } from './join-replica.js'
import type { Joining } from './join-replica.js'
import { ObjectLog } from './object-log.js'
import { ReplicaRefusal, replicaStore } from './replica-store.js'
import { Shipper } from './shipper.js'
import type { ReplicaExtent } from '../replica-messages.js'
import { trimReplica } from './trim-replica.js'

/** The data that the thread starts with. */
export interface ObjectsThreadData {
  /** The tables of the exchange. */
  readonly file: string
  readonly settings: StoreSettings
  /** How long batches are kept that a backup in the place has. */
  readonly keepMs: number
  readonly version: string
  /** The time at the start of the thread. */
  readonly startedAt: number
}

/** News of the thread. */
export type ObjectsNews =
  /** The place was looked at, or could not be reached: the exchange may serve. */
  | { readonly kind: 'met' }
  | { readonly kind: 'through'; readonly sequence: Sequence }
  | { readonly kind: 'kept'; readonly extent: ReplicaExtent }
  /** Tried again. */
  | { readonly kind: 'failed'; readonly message: string }
  /** Why old objects are not deleted; undefined once they are. */
  | { readonly kind: 'untrimmed'; readonly message: string | undefined }
  | { readonly kind: 'warning'; readonly message: string }
  /** The place is another's, or another exchange went on: this one must not serve. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'closed' }

const STAGING = 'replica-staging'
/** The pause after a failed attempt doubles up to the second: a first backup may be large. */
const [RETRY_MS, RETRY_MS_MAX] = [2000, 600_000]
const TRIM_EVERY_MS = 6 * 3_600_000

const { file, settings, keepMs, version, startedAt } = workerData as ObjectsThreadData
const tell = (news: ObjectsNews) => parentPort?.postMessage(news)

const closing = new AbortController()
const { signal } = closing
parentPort?.once('message', () => closing.abort())

const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined)
const now = () => startedAt + performance.now()
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Tries until it succeeds, or the exchange stops. Rejects with a refusal at once. */
async function persistently<Result>(attempt: () => Promise<Result>): Promise<Result | undefined> {
  for (let waitMs = RETRY_MS; !signal.aborted; waitMs = Math.min(2 * waitMs, RETRY_MS_MAX)) {
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof ReplicaRefusal) throw error
      tell({ kind: 'failed', message: messageOf(error) })
      tell({ kind: 'met' })
      await pause(waitMs)
    }
  }
  return undefined
}

/** Deletes what nobody needs, at the start and then a few times a day; what fails is tried again sooner. */
async function trim(
  { store, exchange }: Joining,
  journal: JournalReader,
  through: () => Sequence,
): Promise<void> {
  const isStopped = () => signal.aborted
  const warn = (message: string) => tell({ kind: 'warning', message })
  while (!signal.aborted) {
    let pauseMs = TRIM_EVERY_MS
    try {
      const options = { store, exchange, journal, through, keepMs, now, warn, isStopped }
      tell({ kind: 'kept', extent: await trimReplica(options) })
      tell({ kind: 'untrimmed', message: undefined })
    } catch (error) {
      // Not if the store was closed meanwhile.
      if (!signal.aborted) tell({ kind: 'untrimmed', message: messageOf(error) })
      pauseMs = RETRY_MS_MAX
    }
    await pause(pauseMs)
  }
}

async function ship(joining: Joining, journal: JournalReader): Promise<void> {
  const meeting = await persistently(() => meetReplica(joining))
  tell({ kind: 'met' })
  const from = meeting && (await persistently(() => joinReplica(joining, meeting)))
  if (from === undefined) return
  // Nothing waits for it: a deletion that a stop breaks off is made after the next start.
  const shipper = new Shipper({ log: joining.log, journal, from })
  void trim(joining, journal, () => shipper.end.sequence)
  try {
    await shipAll(shipper)
  } finally {
    closing.abort()
  }
}

async function shipAll(shipper: Shipper): Promise<void> {
  tell({ kind: 'through', sequence: shipper.end.sequence })
  for (;;) {
    // A stop need not know who leads, and would wait for a store that does not answer.
    const appended = (await shipper.ship()) ?? (signal.aborted ? undefined : await shipper.look())
    if (appended?.kind === 'fenced') throw new ReplicaRefusal(appended.reason)
    if (appended?.kind === 'unknown') tell({ kind: 'failed', message: appended.reason })
    else tell({ kind: 'through', sequence: shipper.end.sequence })
    // A stop puts the rest, and does not wait for a store that fails.
    if (signal.aborted && appended?.kind !== 'appended' && appended?.kind !== 'mine') return
    if (!signal.aborted) await pause(shipper.pauseAfter(appended))
  }
}

async function run(): Promise<void> {
  const store = replicaStore(await openStore(settings, { folder: '', now, mustExist: true }))
  const journal = new JournalReader(file)
  const exchange = idText(new IdFile(file).read() ?? 0)
  const keys: StoreKeys = { recipients: settings.recipients as readonly Recipient[], identities: [] }
  const log = new ObjectLog({ store, exchange, keys, own: sequence => journal.hashOf(sequence) })
  const stage = join(dirname(file), STAGING)
  try {
    await ship(
      { store, log, journal, mark: new HeldMarkFile(file), exchange, file, stage, version, now },
      journal,
    )
  } finally {
    journal.close()
  }
}

run().then(
  () => tell({ kind: 'closed' }),
  error => {
    if (!(error instanceof ReplicaRefusal)) throw error
    tell({ kind: 'refused', message: error.message })
  },
)
