import { parentPort, workerData } from 'node:worker_threads'
import type { Recipient } from '../../backup/encryption/age-keys.js'
import type { StoreKeys } from '../../backup/stores/encrypted-store.js'
import { openStore } from '../../backup/stores/open-store.js'
import type { Companion } from '../../store/files/companion-files.js'
import { COMPANIONS } from '../../store/files/companion-files.js'
import { IdFile, idText } from '../../store/files/id-file.js'
import type { ReplicaStore } from '../objects/replica-store.js'
import { readMarker, replicaStore } from '../objects/replica-store.js'
import { FencedError } from '../replication-error.js'
import { Troubles } from '../troubles.js'
import { COMPANION_KINDS } from './companion-kinds.js'
import type { PackNews, PackOrder, PackThreadData } from './companion-messages.js'
import { CompanionPacks } from './companion-packs.js'
import { ObjectPacks } from './object-packs.js'
import { isFileError } from './followed-file.js'
import { BrokenPackError } from './pack.js'
import type { PackLog } from './pack-log.js'

const { file, place, identities, isStandby, startedAt, epoch } = workerData as PackThreadData
const tell = (news: PackNews) => parentPort?.postMessage(news)

/** A change of accounts or site waits for others like the journal's lines; in a stream it waits for none. */
const LINGER_MS = place.kind === 'store' ? 2000 : 0
const RETRY_MS = 2000

let isClosing = false

/** The companions that are replicated; the others are in doubt. */
const companions = new Map<Companion, CompanionPacks>()

interface Logs {
  readonly of: (companion: Companion) => PackLog
  readonly close: () => Promise<void>
}

async function openLogs(): Promise<Logs> {
  if (place.kind === 'store') {
    const store = replicaStore(await openStore(place.settings, { folder: '', now, mustExist: true }))
    const logs = { accounts: new ObjectPacks(store, 'accounts'), site: new ObjectPacks(store, 'site') }
    if (!isStandby) isMarked = () => hasMarker(store)
    return { of: companion => logs[companion], close: async () => undefined }
  }
  const { openJetPacks } = await import('../jetstream/jet-packs.js')
  return openJetPacks(place.settings, ownId())
}

const now = () => startedAt + performance.now()
let isMarked = async () => true

/** Returns true once a place is the replica of this exchange: the packs must not come before that is sure. */
async function hasMarker(store: ReplicaStore): Promise<boolean> {
  const marker = await readMarker(store)
  return marker?.exchange === ownId()
}

const ownId = () => idText(new IdFile(file).read() ?? 0)

function packsOf(companion: Companion, log: PackLog): CompanionPacks {
  const { recipients } = place.settings as { readonly recipients?: readonly Recipient[] }
  const keys: StoreKeys = { recipients: recipients ?? [], identities }
  const troubles = new Troubles(reason => tell({ kind: 'failing', companion, reason }))
  return new CompanionPacks({
    ...{ kind: COMPANION_KINDS[companion], file, log, keys, lingerMs: LINGER_MS },
    warn: message => tell({ kind: 'warning', message }),
    followed: tables => tell({ kind: 'followed', companion, tables }),
    held: held => tell({ kind: 'held', companion, ...held }),
    failing: reason => troubles.note('log', reason),
    untrimmed: reason => troubles.note('room', reason),
  })
}

async function openAll(logs: Logs): Promise<void> {
  for (const companion of COMPANIONS) {
    const packs = packsOf(companion, logs.of(companion))
    if (await isOpen(packs)) companions.set(companion, packs)
  }
}

/** Opens one; an exchange that leads goes on without a store that does not answer, and begins there later. */
async function isOpen(packs: CompanionPacks): Promise<boolean> {
  if (place.kind === 'stream' || isStandby) {
    const isUsable = await packs.open(isStandby ? Number.POSITIVE_INFINITY : epoch)
    if (isUsable && !isStandby) await packs.lead(epoch)
    return isUsable
  }
  let unread: string | undefined
  try {
    if (await isMarked()) {
      const isUsable = await packs.open(epoch)
      packs.letGo()
      return isUsable
    }
  } catch (error) {
    // Nor does an exchange begin with a file that this disk does not let it bring up to date.
    if (error instanceof FencedError || error instanceof BrokenPackError || isFileError(error)) throw error
    unread = messageOf(error)
    tell({ kind: 'warning', message: `goes on without a look at the replica: ${unread}` })
  }
  return packs.openAlone(unread)
}

function stop(error: unknown): void {
  if (isClosing) return
  isClosing = true
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  tell({ kind: 'failed', name, message })
}

async function send(packs: CompanionPacks, from: number): Promise<void> {
  while (!isClosing && !(await isMarked().catch(() => false))) {
    await new Promise(resolve => setTimeout(resolve, RETRY_MS))
  }
  if (!isClosing) await packs.send(from)
}

const opening = openLogs()
const opened = opening.then(openAll)
opened.then(() => tell({ kind: 'opened' }), stop)

parentPort?.on('message', async (order: PackOrder) => {
  switch (order.kind) {
    case 'go':
      for (const [companion, packs] of companions) {
        if (!order.companions.includes(companion)) companions.delete(companion)
        else if (isStandby) packs.follow().catch(stop)
        else send(packs, epoch).catch(stop)
      }
      break
    case 'changed':
      companions.get(order.companion)?.noteChanged()
      break
    case 'hurry':
      for (const packs of companions.values()) packs.hurry()
      break
    case 'lead':
      try {
        for (const packs of companions.values()) await packs.lead(order.epoch)
        tell({ kind: 'leads' })
        for (const packs of companions.values()) send(packs, order.epoch).catch(stop)
      } catch (error) {
        stop(error)
      }
      break
    case 'close':
      isClosing = true
      await Promise.all([...companions.values()].map(packs => packs.close()))
      await opening.then(logs => logs.close()).catch(() => undefined)
      tell({ kind: 'closed' })
      break
  }
})

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
