import type { MessagePort } from 'node:worker_threads'
import { assert } from '../core/assert.js'
import type { Sequence } from '../core/units.js'
import type { JournalRow } from '../store/journal.js'
import type { HeldMarkFile } from './held-mark.js'
import type { JetLease } from './jetstream/jet-lease.js'
import type { JetLog } from './jetstream/jet-log.js'
import type { LocalJournal } from './local-journal.js'
import type { ReplicaNews } from './replica-messages.js'

/** Lines that are handed to the log, and that it does not hold yet. */
const UNDER_WAY_MAX = 64
/** Rows kept from shards while the log is slow; later ones are read from the disk. */
const KEPT_MAX = 256
const MARK_EVERY_MS = 1000
/** How soon the disk is read again for rows that were not kept. */
const READ_AGAIN_MS = 50

interface SenderParts {
  readonly mark: Pick<HeldMarkFile, 'write'>
  readonly log: JetLog
  readonly journal: Pick<LocalJournal, 'rows' | 'close'>
  readonly lease: JetLease
  /** The log's name, for its mark. */
  readonly name: string
  /** Called with how far the log holds the journal. */
  readonly tell: (news: Extract<ReplicaNews, { readonly kind: 'held' }>) => void
  readonly stop: (error: unknown) => void
}

/** Sends the journal's rows to the log: from the shards, before they are on this disk, or from the disk. */
export class Sender {
  readonly #parts: SenderParts
  readonly #ports: MessagePort[] = []
  /** Rows from the shards, which may arrive in another order than they were decided. */
  readonly #rows = new Map<Sequence, JournalRow>()
  readonly #marking: NodeJS.Timeout
  /** The next row to send. */
  #next: Sequence
  /** The last row that a shard has decided. */
  #decided: Sequence
  #held: Sequence
  /** Undefined until the disk has taken a mark. */
  #marked: Sequence | undefined
  #isTelling = false
  #readingAgain: NodeJS.Timeout | undefined

  constructor(parts: SenderParts, held: Sequence) {
    this.#parts = parts
    this.#held = held
    this.#decided = held
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

  /** Gives the lease up, once the log holds what was decided. */
  release(): Promise<void> {
    return this.#parts.lease.release()
  }

  /** Returns false if the log goes on with another exchange's lines. */
  isOwnLog(): Promise<boolean> {
    return this.#parts.log.isOwn()
  }

  /** Closes the log; the main thread has waited until it holds what was decided. */
  async close(): Promise<void> {
    clearInterval(this.#marking)
    clearTimeout(this.#readingAgain)
    for (const port of this.#ports) port.close()
    await this.#parts.lease.release()
    await this.#parts.log.close()
    if (this.#marked !== this.#held) this.#writeMark()
    this.#parts.journal.close()
  }

  #sendAll(): void {
    while (this.#parts.log.pendingCount < UNDER_WAY_MAX && this.#next <= this.#decided) {
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
    this.#parts.log.append(withBytes(row)).then(() => this.#heldNow(row.sequence), this.#parts.stop)
  }

  /** Reads the rows that were not kept; one that is not there yet is about to commit. */
  #readAgain(): void {
    this.#readingAgain ??= setTimeout(() => {
      this.#readingAgain = undefined
      for (const row of this.#parts.journal.rows(this.#next, UNDER_WAY_MAX)) {
        if (this.#parts.log.pendingCount >= UNDER_WAY_MAX) break
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
        this.#parts.tell({ kind: 'held', sequence: this.#held })
      })
    }
    this.#sendAll()
  }

  #writeMark(): void {
    const sequence = this.#held
    if (this.#parts.mark.write({ log: this.#parts.name, sequence })) this.#marked = sequence
  }
}

/** Returns a row that has crossed threads, whose hash has become plain bytes. */
export function withBytes({ hash, ...row }: JournalRow): JournalRow {
  return { ...row, hash: Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength) }
}
