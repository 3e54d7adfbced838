import { hostname } from 'node:os'
import type { MessagePort } from 'node:worker_threads'
import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '../core/assert.js'
import type { Sequence } from '../core/units.js'
import { IdFile, idText } from '../store/files/id-file.js'
import type { JournalRow } from '../store/journal.js'
import { HeldMarkFile } from './held-mark.js'
import { JetLease } from './jetstream/jet-lease.js'
import { JetLog } from './jetstream/jet-log.js'
import { natsPlace, readLogin } from './jetstream/nats-place.js'
import { openStream } from './jetstream/open-stream.js'
import { LocalJournal } from './local-journal.js'
import { meetLog } from './meet-log.js'
import { FencedError } from './replication-error.js'
import type { ReplicaNews, ReplicaOrder, ReplicaThreadData } from './replica-messages.js'

/** Lines on their way to the log at the same time. */
const UNDER_WAY_MAX = 64
/** Rows kept from shards while the log is slow; later ones are read from the disk. */
const KEPT_MAX = 256
const MARK_EVERY_MS = 1000
/** How soon the disk is read again for rows that were not kept. */
const READ_AGAIN_MS = 50

const { file, settings } = workerData as ReplicaThreadData
const tell = (news: ReplicaNews) => parentPort?.postMessage(news)

interface SenderParts {
  readonly log: JetLog
  readonly journal: LocalJournal
  readonly lease: JetLease
  /** The log's name. */
  readonly name: string
}

/** Sends the journal's rows to the log: from the shards, before they are on this disk, or from the disk. */
class Sender {
  readonly #log: JetLog
  /** The log's name in the mark. */
  readonly #name: string
  readonly #journal: LocalJournal
  readonly #lease: JetLease
  readonly #mark = new HeldMarkFile(file)
  readonly #ports: MessagePort[] = []
  /** Rows from the shards, which may arrive in another order than they were decided. */
  readonly #rows = new Map<Sequence, JournalRow>()
  readonly #marking: NodeJS.Timeout
  /** The next row to send. */
  #next: Sequence
  /** The last row that a shard has decided. */
  #decided: Sequence
  #held: Sequence
  #marked: Sequence
  #isTelling = false
  #readingAgain: NodeJS.Timeout | undefined

  constructor({ log, journal, lease, name }: SenderParts, held: Sequence) {
    this.#log = log
    this.#name = name
    this.#lease = lease
    this.#journal = journal
    this.#held = held
    this.#decided = held
    this.#marked = held
    this.#next = (held + 1) as Sequence
    this.#writeMark()
    this.#marking = setInterval(() => {
      if (this.#marked !== this.#held) this.#writeMark()
    }, MARK_EVERY_MS)
  }

  receive(port: MessagePort): void {
    this.#ports.push(port)
    port.on('message', (row: JournalRow) => {
      this.#decided = Math.max(this.#decided, row.sequence) as Sequence
      // One that was read again meanwhile is sent already, and would take up room for ever.
      const isWanted = row.sequence >= this.#next
      const hasRoom = this.#rows.size < KEPT_MAX || row.sequence === this.#next
      if (isWanted && hasRoom) this.#rows.set(row.sequence, row)
      this.#sendAll()
    })
  }

  /** Closes the log; the main thread has waited until it holds what was decided. */
  async close(): Promise<void> {
    clearInterval(this.#marking)
    clearTimeout(this.#readingAgain)
    for (const port of this.#ports) port.close()
    await this.#lease.release()
    await this.#log.close()
    if (this.#marked !== this.#held) this.#writeMark()
    this.#journal.close()
  }

  #sendAll(): void {
    while (this.#log.pendingCount < UNDER_WAY_MAX && this.#next <= this.#decided) {
      const row = this.#rows.get(this.#next)
      if (row === undefined) {
        this.#readAgain()
        return
      }
      this.#rows.delete(this.#next)
      this.#send(row)
    }
  }

  #send(row: JournalRow): void {
    assert(row.sequence === this.#next, 'rows are sent in order')
    this.#next = (row.sequence + 1) as Sequence
    // A row that crossed threads has plain bytes.
    const hash = Buffer.from(row.hash.buffer, row.hash.byteOffset, row.hash.byteLength)
    this.#log.append({ ...row, hash }).then(() => this.#heldNow(row.sequence), stop)
  }

  /** Reads the rows that were not kept; one that is not there yet is about to commit. */
  #readAgain(): void {
    this.#readingAgain ??= setTimeout(() => {
      this.#readingAgain = undefined
      for (const row of this.#journal.rows(this.#next, UNDER_WAY_MAX)) {
        if (this.#log.pendingCount >= UNDER_WAY_MAX) break
        this.#rows.delete(row.sequence)
        this.#send(row)
      }
      this.#sendAll()
    }, READ_AGAIN_MS)
  }

  #heldNow(sequence: Sequence): void {
    this.#held = sequence
    if (!this.#isTelling) {
      this.#isTelling = true
      // One message for all acknowledgements that came together.
      setImmediate(() => {
        this.#isTelling = false
        tell({ kind: 'held', sequence: this.#held })
      })
    }
    this.#sendAll()
  }

  #writeMark(): void {
    this.#mark.write({ log: this.#name, sequence: this.#held })
    this.#marked = this.#held
  }
}

let isClosing = false

function stop(error: unknown): void {
  if (isClosing) return
  isClosing = true
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  tell({ kind: 'failed', name, message })
}

async function begin(): Promise<Sender> {
  const { to, mode, login, systemLogin, tls, allowUnsynced, replicas } = settings
  const id = new IdFile(file).read()
  assert(id !== undefined, 'an exchange has its id before it replicates')
  const loginOf = (path: string | undefined) => (path === undefined ? undefined : readLogin(path))
  const stream = await openStream({
    place: natsPlace(to),
    name: `raay-${idText(id)}`,
    mode,
    login: loginOf(login),
    systemLogin: loginOf(systemLogin),
    tls,
    allowUnsynced,
    replicas,
    warn: message => tell({ kind: 'warning', message }),
  })
  const lease = await JetLease.take(stream, {
    holder: `${hostname()}:${file}`,
    waiting: holder => tell({ kind: 'warning', message: `waits for the lease of the log: ${holder} leads` }),
    lost: holder => stop(new FencedError(`${holder} leads now`)),
  })
  const marked = new HeldMarkFile(file).read(stream.name)
  const log = await JetLog.open(stream, marked)
  const journal = new LocalJournal(file)
  const { held, pulled, orphans } = await meetLog(log, journal, marked)
  const sender = new Sender({ log, journal, lease, name: stream.name }, held)
  tell({ kind: 'ready', held, pulled, orphans })
  return sender
}

const beginning = begin()
beginning.catch(stop)
parentPort?.on('message', async (order: ReplicaOrder) => {
  const sender = await beginning
  if (order.kind === 'rows') {
    sender.receive(order.port)
    return
  }
  isClosing = true
  await sender.close()
  tell({ kind: 'closed' })
})
