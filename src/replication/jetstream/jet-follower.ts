import type { Sequence } from '../../core/units.js'
import type { JournalRow } from '../../store/journal.js'
import type { HeldMarkFile } from '../held-mark.js'
import { sharedClock } from '../lease-watch.js'
import type { LocalJournal } from '../local-journal.js'
import type { ReplicaNews, ReplicationMode } from '../replica-messages.js'
import { Sender, withBytes } from '../line-sender.js'
import { JetFeed } from './jet-feed.js'
import type { LeaseBucket, LeaseOptions } from './jet-lease.js'
import { JetLease } from './jet-lease.js'
import type { Withdrawal } from './lease-wish.js'
import { LeaseWish } from './lease-wish.js'
import type { JetLog } from './jet-log.js'
import { oncePassed } from './open-stream.js'

/** How often a standby asks where the log ends. */
const LOOK_MS = 1000
/** Longer than until a leader's next renewal, at which it hears that it no longer leads. */
const STILL_MS = 600

interface FollowerParts {
  readonly mark: Pick<HeldMarkFile, 'write'>
  /** The log's name, for its mark. */
  readonly name: string
  readonly bucket: LeaseBucket
  readonly log: JetLog
  readonly journal: Pick<LocalJournal, 'rows' | 'close'>
  /** The exchange's id: eight hexadecimal digits. */
  readonly exchange: string
  /** The mode in which it leads if the log does not say which. */
  readonly mode: ReplicationMode
  readonly lease: LeaseOptions
  readonly tell: (news: ReplicaNews) => void
  readonly stop: (error: unknown) => void
}

/** Follows a log, and goes on from its end once the exchange that leads is gone. */
export class JetFollower {
  readonly #parts: FollowerParts
  readonly #feed: JetFeed
  readonly #waiting = new AbortController()
  readonly #looking: NodeJS.Timeout
  #marked: Sequence
  readonly #wish = new LeaseWish()
  #look: Promise<void> | undefined
  #epoch: ((row: JournalRow) => void) | undefined

  constructor(parts: FollowerParts, held: Sequence) {
    const { log, tell } = parts
    this.#parts = parts
    this.#marked = held
    this.#feed = new JetFeed(log, held, rows => tell({ kind: 'lines', rows }))
    this.#looking = setInterval(() => this.#lookOnce(), LOOK_MS)
  }

  /** Begins; resolves once this exchange leads. */
  async follow(): Promise<Sender> {
    const { mark, name, bucket, log, journal, exchange, lease: options, tell, stop } = this.#parts
    this.#feed.run().catch(stop)
    const { signal } = this.#waiting
    const lease = await JetLease.take(bucket, { ...options, wish: this.#wish, signal })
    clearInterval(this.#looking)
    // The one that led may come back while this one sleeps, which must not answer then.
    options.rivalled?.(sharedClock())
    // A look that is under way would move the end behind the line with which this one begins.
    await this.#look
    await this.#catchUp(lease.wasGivenUp)
    const mode = log.lastWriter?.mode ?? this.#parts.mode
    const row = await new Promise<JournalRow>(resolve => {
      this.#epoch = resolve
      tell({ kind: 'free' })
    })
    log.writer = { exchange, mode }
    // Refused if anything was published meanwhile.
    await log.append(row)
    const sender = new Sender({ mark, log, journal, lease, name, tell, stop }, row.sequence)
    tell({ kind: 'leads', sequence: row.sequence, mode })
    return sender
  }

  noteFollowed(sequence: Sequence): void {
    this.#feed.noteFollowed(sequence)
  }

  /** Asks the exchange that leads to make way. */
  ask(): void {
    this.#wish.begin()
  }

  /** No longer asks; calls back with whether that one makes way in any case. */
  withdraw(done: (how: Withdrawal) => void): void {
    this.#wish.withdraw(done)
  }

  begin(row: JournalRow): void {
    this.#epoch?.(withBytes(row))
  }

  /** Ends before it leads. */
  async close(): Promise<void> {
    clearInterval(this.#looking)
    this.#waiting.abort()
    this.#feed.stop()
    await this.#parts.log.close()
    this.#writeMark()
    this.#parts.journal.close()
  }

  /**
   * Waits for what the last leader gets through before this one publishes: it is part of the journal. One
   * that is alive goes on until it hears, at its next renewal, that the lease is another's.
   */
  async #catchUp(wasGivenUp: boolean): Promise<void> {
    const { log } = this.#parts
    const feed = this.#feed
    for (let isStill = false; !isStill; ) {
      await oncePassed(() => log.readEnd())
      await feed.until(log.end?.sequence ?? (0 as Sequence))
      const leftMs = wasGivenUp ? 0 : STILL_MS - feed.quietMs
      isStill = leftMs <= 0
      if (!isStill) await new Promise(resolve => setTimeout(resolve, leftMs))
    }
    feed.stop()
    await feed.drain()
  }

  #lookOnce(): void {
    this.#writeMark()
    this.#look ??= this.#lookForEnd().finally(() => {
      this.#look = undefined
    })
  }

  async #lookForEnd(): Promise<void> {
    const { log, tell } = this.#parts
    try {
      await log.readEnd()
      tell({ kind: 'end', sequence: log.end?.sequence ?? (0 as Sequence) })
    } catch (error) {
      tell({ kind: 'silent', message: (error as Error).message })
    }
  }

  #writeMark(): void {
    const { followed } = this.#feed
    if (followed === this.#marked) return
    if (this.#parts.mark.write({ log: this.#parts.name, sequence: followed })) this.#marked = followed
  }
}
