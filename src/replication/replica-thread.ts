import type { MessagePort } from 'node:worker_threads'
import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '../core/assert.js'
import type { Sequence } from '../core/units.js'
import { IdFile, idText } from '../store/files/id-file.js'
import { HeldMarkFile } from './held-mark.js'
import { JetFollower } from './jetstream/jet-follower.js'
import { holderOf, JetLease } from './jetstream/jet-lease.js'
import { JetLog } from './jetstream/jet-log.js'
import type { OpenStream, StreamOptions } from './jetstream/open-stream.js'
import { openStream, refuseUnsafe, streamOptionsOf } from './jetstream/open-stream.js'
import { LeaseWatch } from './lease-watch.js'
import { LocalJournal } from './local-journal.js'
import { joinLog, meetLog } from './meet-log.js'
import { FencedError, LogForkedError } from './replication-error.js'
import { Sender } from './line-sender.js'
import { Troubles } from './troubles.js'
import type { ReplicaNews, ReplicaOrder, ReplicaThreadData } from './replica-messages.js'

const { file, settings, isStandby, lease: memory } = workerData as ReplicaThreadData
const tell = (news: ReplicaNews): void => parentPort?.postMessage(news)

let isClosing = false

function stop(error: unknown): void {
  if (isClosing) return
  isClosing = true
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  tell({ kind: 'failed', name, message })
}

const troubles = new Troubles(reason => tell({ kind: 'trouble', reason }))

/** A log that was checked, beside the journal of this exchange. */
interface OpenLog {
  readonly stream: OpenStream
  readonly log: JetLog
  readonly journal: LocalJournal
  readonly marked: Sequence | undefined
}

function streamOptions(): StreamOptions {
  return streamOptionsOf(settings, ownId(), message => tell({ kind: 'warning', message }))
}

/** Returns the id of this exchange, which a standby that has just been made takes from its log. */
function ownId(): string {
  const id = new IdFile(file).read()
  assert(id !== undefined, 'an exchange has its id before it replicates')
  return idText(id)
}

async function openLog(stream: OpenStream): Promise<OpenLog> {
  const marked = new HeldMarkFile(file).read(stream.name)
  const log = await JetLog.open(stream, marked)
  log.onTrouble(reason => troubles.note('log', reason))
  const journal = new LocalJournal(file)
  const of = log.lastWriter?.exchange
  if (of !== undefined && of !== ownId()) {
    if (journal.end.sequence > 0) {
      throw new LogForkedError(`the log is of exchange ${of}, and this one is ${ownId()}: name another log`)
    }
    journal.takeId(Number.parseInt(of, 16))
  }
  return { stream, log, journal, marked }
}

const holder = holderOf(file)
const leaseWatch = new LeaseWatch({ memory })

function leaseOptions() {
  return {
    holder,
    waiting: (holder: string) =>
      tell({ kind: 'warning', message: `waits for the lease of the log: ${holder} leads` }),
    lost: (holder: string) => stop(new FencedError(`${holder} leads now`)),
    asked: (by: string) => tell({ kind: 'asked', by }),
    renewed: (at: number) => {
      const wasDoubtful = leaseWatch.isDoubtful
      leaseWatch.noteRenewed(at)
      if (leaseWatch.isDoubtful) return
      troubles.note('lease', undefined)
      if (wasDoubtful) tell({ kind: 'renewed' })
    },
    rivalled: (at: number) => leaseWatch.noteRival(at),
    silent: (reason: string) => {
      if (leaseWatch.isDoubtful) troubles.note('lease', `the lease of the log is not renewed: ${reason}`)
    },
    isOwnLog: async () => sender === undefined || (await sender.isOwnLog()),
  }
}

/** Takes the lease, and brings log and journal together. */
async function lead(): Promise<Sender> {
  const stream = await openStream(streamOptions())
  const lease = await JetLease.take(stream, leaseOptions())
  const { log, journal, marked } = await openLog(stream)
  log.writer = { exchange: ownId(), mode: settings.mode }
  const { held, pulled, orphans } = await meetLog(log, journal, marked)
  const sender = new Sender({ file, log, journal, lease, name: stream.name, tell, stop }, held)
  tell({ kind: 'ready', held, pulled, orphans })
  return sender
}

/** Opens the log that a standby follows; takes nothing from it that its exchange can follow. */
async function openFollower(): Promise<JetFollower> {
  const open = await openLog(await openStream({ ...streamOptions(), mode: 'async' }))
  const mode = open.log.lastWriter?.mode ?? settings.mode
  if (open.log.end === undefined) {
    await open.log.close()
    throw new Error('the log has no line yet: start the exchange that leads, and then this standby')
  }
  // In time: it will lead as the exchange does that leads now.
  await refuseUnsafe({ ...streamOptions(), mode }, open.stream)
  const { held, pulled, orphans } = await joinLog(open.log, open.journal, open.marked)
  const { stream, log, journal } = open
  const parts = { file, stream, log, journal, exchange: ownId(), mode, lease: leaseOptions(), tell, stop }
  const follower = new JetFollower(parts, held)
  tell({ kind: 'ready', held, pulled, orphans })
  return follower
}

const opening = isStandby ? openFollower() : undefined
let follower: JetFollower | undefined
let sender: Sender | undefined
/** Ports of shards that have decided nothing yet. */
const ports: MessagePort[] = []

function sends(made: Sender): void {
  sender = made
  for (const port of ports.splice(0)) made.receive(port)
}

if (opening === undefined) lead().then(sends, stop)
else {
  opening.then(opened => {
    follower = opened
  }, stop)
}

parentPort?.on('message', async (order: ReplicaOrder) => {
  switch (order.kind) {
    case 'rows':
      if (sender === undefined) ports.push(order.port)
      else sender.receive(order.port)
      break
    case 'follow':
      follower?.follow().then(sends, stop)
      break
    case 'followed':
      follower?.noteFollowed(order.sequence)
      break
    case 'ask':
      follower?.ask()
      break
    case 'withdraw':
      // Once it sends, it has the lease.
      if (follower === undefined || sender !== undefined) tell({ kind: 'withdrawn', how: 'granted' })
      else follower.withdraw(how => tell({ kind: 'withdrawn', how }))
      break
    case 'release':
      await sender?.release()
      tell({ kind: 'released' })
      break
    case 'epoch':
      follower?.begin(order.row)
      break
    case 'close':
      isClosing = true
      await (sender ?? follower)?.close()
      tell({ kind: 'closed' })
      break
  }
})
