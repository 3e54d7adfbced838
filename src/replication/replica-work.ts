import type { MessagePort } from 'node:worker_threads'
import type { Sequence } from '../core/units.js'
import type { HeldMarkFile } from './held-mark.js'
import { JetFollower } from './jetstream/jet-follower.js'
import type { LeaseBucket, LeaseOptions } from './jetstream/jet-lease.js'
import { JetLease } from './jetstream/jet-lease.js'
import { JetLog } from './jetstream/jet-log.js'
import type { LineStream } from './jetstream/open-stream.js'
import { oncePassed } from './jetstream/open-stream.js'
import { StandbyMarking } from './jetstream/standby-marking.js'
import type { StandbyMarks } from './jetstream/standby-marks.js'
import { endsOf } from './jetstream/stored-line.js'
import { trimLog } from './jetstream/trim-stream.js'
import type { JournalReader } from './journal-reader.js'
import type { LeaseWatch } from './lease-watch.js'
import { Sender } from './line-sender.js'
import type { LocalJournal } from './local-journal.js'
import { joinLog, meetLog } from './meet-log.js'
import type { ReplicaNews, ReplicaOrder, ReplicationMode, Trimmed, TrimOrder } from './replica-messages.js'
import { FencedError, LogForkedError, TrimmedError } from './replication-error.js'
import { Troubles } from './troubles.js'

/** A log's servers, as the settings name them. */
export interface LogServers<Stream extends LineStream> {
  /** Opens the stream, and refuses one that is unsafe in a mode. */
  open(mode: ReplicationMode): Promise<Stream>
  /** Refuses a stream that is unsafe in a mode. */
  check(stream: Stream, mode: ReplicationMode): Promise<void>
  /** Opens the bucket of the lease. */
  lease(stream: Stream): Promise<LeaseBucket>
  /** Opens the marks of its standbys. */
  marks(stream: Stream): Promise<StandbyMarks>
}

interface WorkParts<Stream extends LineStream> {
  readonly servers: LogServers<Stream>
  /** The mode in which it leads if the log does not say which. */
  readonly mode: ReplicationMode
  readonly isStandby: boolean
  /** Opens the journal on this disk. */
  readonly openJournal: () => Pick<LocalJournal, keyof LocalJournal>
  readonly mark: Pick<HeldMarkFile, 'read' | 'write'>
  /** Returns the exchange's id, eight hexadecimal digits: a standby may take that of its log. */
  readonly ownId: () => string
  /** Returns what tells this standby from others, also once it leads. */
  readonly standbyId: () => string
  /** Opens the whole journal, of an exchange that runs. */
  readonly openReader: () => Pick<JournalReader, 'hashOf' | 'lastBefore' | 'close'>
  /** The name of this process, as of `holderOf`. */
  readonly holder: string
  readonly watch: LeaseWatch
  readonly tell: (news: ReplicaNews) => void
}

/** The work of the thread of a log on NATS: it leads and sends lines, or follows until it is to lead. */
export class ReplicaWork<Stream extends LineStream> {
  readonly #parts: WorkParts<Stream>
  readonly #troubles: Troubles
  #follower: JetFollower | undefined
  #sender: Sender | undefined
  /** Of a log that this exchange leads, or is about to lead; a standby's first line says it. */
  #isOwnLog: (() => Promise<boolean>) | undefined
  #opened: { readonly stream: Stream; readonly log: JetLog } | undefined
  /** Says how far this exchange is, as long as it does not lead. */
  #marking: StandbyMarking | undefined
  #isReleased = false
  /** Ports of shards that have decided nothing yet. */
  readonly #ports: MessagePort[] = []
  #isClosing = false

  constructor(parts: WorkParts<Stream>) {
    this.#parts = parts
    this.#troubles = new Troubles(reason => parts.tell({ kind: 'trouble', reason }))
  }

  /** Opens the log; tells once journal and log have the same end. */
  start(): void {
    if (this.#parts.isStandby) {
      this.#openFollower().then(opened => {
        this.#follower = opened
      }, this.#stop)
    } else this.#lead().then(this.#sends, this.#stop)
  }

  async obey(order: ReplicaOrder): Promise<void> {
    const { tell } = this.#parts
    const [follower, sender] = [this.#follower, this.#sender]
    switch (order.kind) {
      case 'rows':
        if (sender === undefined) this.#ports.push(order.port)
        else sender.receive(order.port)
        break
      case 'follow':
        follower?.follow().then(this.#sends, this.#stop)
        break
      case 'followed':
        follower?.noteFollowed(order.sequence)
        if (this.#marking !== undefined) this.#marking.sequence = order.sequence
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
        this.#isReleased = true
        await sender?.release()
        tell({ kind: 'released' })
        break
      case 'epoch':
        follower?.begin(order.row)
        break
      case 'trim':
        tell({ kind: 'trimmed', ...(await this.#trim(order)) })
        break
      case 'close':
        this.#isClosing = true
        this.#marking?.stop()
        await (sender ?? follower)?.close()
        tell({ kind: 'closed' })
        break
    }
  }

  readonly #stop = (error: unknown): void => {
    if (this.#isClosing) return
    this.#isClosing = true
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    this.#parts.tell({ kind: 'failed', name, message })
  }

  readonly #sends = (made: Sender): void => {
    this.#sender = made
    this.#isOwnLog = () => made.isOwnLog()
    void this.#marking?.end()
    for (const port of this.#ports.splice(0)) made.receive(port)
  }

  /** Takes the lease, and brings log and journal together. */
  async #lead(): Promise<Sender> {
    const { servers, mode, mark, ownId, tell } = this.#parts
    const stream = await servers.open(mode)
    const options = this.#leaseOptions()
    const waiting = (holder: string) => {
      options.waiting(holder)
      this.#wait(stream).catch(this.#stop)
    }
    const lease = await JetLease.take(await servers.lease(stream), { ...options, waiting })
    const { log, journal, marked } = await this.#openLog(stream)
    this.#isOwnLog = () => log.isOwn()
    log.writer = { exchange: ownId(), mode }
    const { held, pulled, orphans } = await meetLog(log, journal, marked)
    const sender = new Sender({ mark, log, journal, lease, name: stream.name, tell, stop: this.#stop }, held)
    tell({ kind: 'ready', held, pulled, orphans })
    return sender
  }

  /** Opens the log that a standby follows; takes nothing from it that its exchange can follow. */
  async #openFollower(): Promise<JetFollower> {
    const { servers, mark, ownId, tell } = this.#parts
    const stream = await servers.open('async')
    const { log, journal, marked } = await this.#openLog(stream)
    const mode = log.lastWriter?.mode ?? this.#parts.mode
    if (log.end === undefined) {
      await log.close()
      throw new Error('the log has no line yet: start the exchange that leads, and then this standby')
    }
    // In time: it will lead as the exchange does that leads now.
    await servers.check(stream, mode)
    const bucket = await servers.lease(stream)
    // Before anything is read: it would be deleted meanwhile.
    const marking = this.#beginMarking(stream, journal.end.sequence)
    await marking.said
    const { held, pulled, orphans } = await joinLog(log, journal, marked)
    marking.sequence = held
    const lease = this.#leaseOptions()
    const exchange = ownId()
    const follower = new JetFollower(
      { mark, name: stream.name, bucket, log, journal, exchange, mode, lease, tell, stop: this.#stop },
      held,
    )
    tell({ kind: 'ready', held, pulled, orphans })
    return follower
  }

  /** Opens a log that was checked, beside the journal of this exchange. */
  async #openLog(stream: Stream) {
    const { mark, openJournal, ownId } = this.#parts
    const marked = mark.read(stream.name)
    const log = await JetLog.open(stream, marked)
    this.#opened = { stream, log }
    log.onTrouble(reason => this.#troubles.note('log', reason))
    const journal = openJournal()
    const of = log.lastWriter?.exchange
    if (of !== undefined && of !== ownId()) {
      if (journal.end.sequence > 0) {
        throw new LogForkedError(`the log is of exchange ${of}, and this one is ${ownId()}: name another log`)
      }
      journal.takeId(Number.parseInt(of, 16))
    }
    return { log, journal, marked: marked as Sequence | undefined }
  }

  /** Keeps in the log what this exchange needs, which waits for the lease; stops it if that is gone. */
  async #wait(stream: Stream): Promise<void> {
    const journal = this.#parts.openJournal()
    const { sequence } = journal.end
    journal.close()
    await this.#beginMarking(stream, sequence).said
    const { first, line } = await oncePassed(() => endsOf(stream))
    const from = line === undefined ? 0 : first + line.row.sequence - line.place
    if (sequence + 1 < from) this.#stop(TrimmedError.ofStream(sequence + 1))
  }

  /** Says from now on how far this exchange is, which does not lead. */
  #beginMarking(stream: Stream, sequence: Sequence): StandbyMarking {
    const { servers, standbyId, tell } = this.#parts
    const warn = (message: string) => tell({ kind: 'warning', message })
    const parts = { open: () => servers.marks(stream), id: standbyId(), warn }
    this.#marking = new StandbyMarking(parts, sequence)
    return this.#marking
  }

  /** Deletes what nobody needs, if this exchange leads. */
  async #trim({ backups, before }: TrimOrder): Promise<Trimmed> {
    const { servers, openReader, standbyId, watch } = this.#parts
    const opened = this.#opened
    if (opened === undefined) return { kept: undefined, failure: 'the log is not open' }
    const holdsLease = () => this.#sender !== undefined && !this.#isReleased && !watch.isDoubtful
    const openMarks = () => servers.marks(opened.stream)
    return trimLog({ ...opened, openMarks, openReader, backups, before, standbyId, holdsLease })
  }

  #leaseOptions(): LeaseOptions {
    const { holder, watch, tell } = this.#parts
    return {
      holder,
      waiting: (holder: string) =>
        tell({ kind: 'warning', message: `waits for the lease of the log: ${holder} leads` }),
      lost: (holder: string) => this.#stop(new FencedError(`${holder} leads now`)),
      asked: (by: string) => tell({ kind: 'asked', by }),
      renewed: (at: number) => {
        watch.noteRenewed(at)
        if (!watch.isDoubtful) this.#troubles.note('lease', undefined)
        // Only the main thread notices that the machine has slept, and that answers wait.
        tell({ kind: 'renewed' })
      },
      rivalled: (at: number) => watch.noteRival(at),
      silent: (reason: string) => {
        if (watch.isDoubtful) this.#troubles.note('lease', `the lease of the log is not renewed: ${reason}`)
      },
      isOwnLog: async () => (await this.#isOwnLog?.()) ?? true,
    }
  }
}
