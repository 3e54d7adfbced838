import { dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { StoreSettings } from '../../backup/stores/open-store.js'
import { openStore } from '../../backup/stores/open-store.js'
import type { StoreKeys } from '../../backup/stores/encrypted-store.js'
import type { Recipient } from '../../backup/encryption/age-keys.js'
import type { Sequence } from '../../core/units.js'
import { IdFile, idText } from '../../store/files/id-file.js'
import { JournalReader } from '../journal-reader.js'
import { joinReplica, meetReplica } from './join-replica.js'
import type { Joining } from './join-replica.js'
import { ObjectLog } from './object-log.js'
import { ReplicaRefusal, replicaStore } from './replica-store.js'
import { Shipper } from './shipper.js'

/** The data that the thread starts with. */
export interface ObjectsThreadData {
  /** The tables of the exchange. */
  readonly file: string
  readonly settings: StoreSettings
  readonly version: string
  /** The time at the start of the thread. */
  readonly startedAt: number
}

/** News of the thread. */
export type ObjectsNews =
  /** The place was looked at, or could not be reached: the exchange may serve. */
  | { readonly kind: 'met' }
  | { readonly kind: 'through'; readonly sequence: Sequence }
  /** Tried again. */
  | { readonly kind: 'failed'; readonly message: string }
  /** The place is another's, or another exchange went on: this one must not serve. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'closed' }

const STAGING = 'replica-staging'
/** The pause after a failed attempt doubles up to the second: a first backup may be large. */
const [RETRY_MS, RETRY_MS_MAX] = [2000, 600_000]

const { file, settings, version, startedAt } = workerData as ObjectsThreadData
const tell = (news: ObjectsNews) => parentPort?.postMessage(news)

let isClosing = false
let wake = () => undefined as void
parentPort?.once('message', () => {
  isClosing = true
  wake()
})

function pause(ms: number): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    wake = () => {
      clearTimeout(timer)
      resolve()
    }
    if (isClosing) wake()
  })
}

const now = () => startedAt + performance.now()
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Tries until it succeeds, or the exchange stops. Rejects with a refusal at once. */
async function persistently<Result>(attempt: () => Promise<Result>): Promise<Result | undefined> {
  for (let waitMs = RETRY_MS; !isClosing; waitMs = Math.min(2 * waitMs, RETRY_MS_MAX)) {
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

async function ship(joining: Joining, journal: JournalReader): Promise<void> {
  const meeting = await persistently(() => meetReplica(joining))
  tell({ kind: 'met' })
  const from = meeting && (await persistently(() => joinReplica(joining, meeting)))
  if (from === undefined) return
  const shipper = new Shipper({ log: joining.log, journal, from })
  tell({ kind: 'through', sequence: from.sequence })
  for (;;) {
    // A stop need not know who leads, and would wait for a store that does not answer.
    const appended = (await shipper.ship()) ?? (isClosing ? undefined : await shipper.look())
    if (appended?.kind === 'fenced') throw new ReplicaRefusal(appended.reason)
    if (appended?.kind === 'unknown') tell({ kind: 'failed', message: appended.reason })
    else tell({ kind: 'through', sequence: shipper.end.sequence })
    // A stop puts the rest, and does not wait for a store that fails.
    if (isClosing && appended?.kind !== 'appended' && appended?.kind !== 'mine') return
    if (!isClosing) await pause(shipper.pauseAfter(appended))
  }
}

async function run(): Promise<void> {
  const store = replicaStore(await openStore(settings, { folder: '', now }))
  const journal = new JournalReader(file)
  const exchange = idText(new IdFile(file).read() ?? 0)
  const keys: StoreKeys = { recipients: settings.recipients as readonly Recipient[], identities: [] }
  const log = new ObjectLog({ store, exchange, keys, own: sequence => journal.hashOf(sequence) })
  const stage = join(dirname(file), STAGING)
  try {
    await ship({ store, log, journal, exchange, file, stage, version, now }, journal)
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
