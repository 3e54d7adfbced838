import type { PubAck } from '@nats-io/jetstream'
import { assert } from '../../core/assert.js'
import type { Sequence } from '../../core/units.js'
import type { JournalEnd, JournalRow } from '../../store/journal.js'
import { FencedError, isPassing, LogLostError } from '../replication-error.js'
import type { Writer } from './line-message.js'
import { headersOf, sizeFault } from './line-message.js'
import { LogTrouble } from './log-trouble.js'
import type { LineStream } from './open-stream.js'
import { oncePassed, REQUEST_MS } from './open-stream.js'
import { readLines } from './read-lines.js'
import { endsOf, lineAt } from './stored-line.js'

interface Pending {
  readonly row: JournalRow
  readonly done: () => void
  readonly failed: (error: Error) => void
}

/** How often a log shorter than what it acknowledged is read again: a stale leader may have answered. */
const LOOKS_BEFORE_LOST = 20
const PAUSE_MS = 250

/**
 * The journal's lines in a stream of JetStream, one message each, on the condition that the *stream's* last
 * message is the line before it: with one on a subject's last, a cluster accepts two messages sent at once
 * (nats-server issue 4320). The condition is a number: a line is published only once the log is known to
 * hold the line before it. Ahead of that it would be taken behind another leader's line of the same number.
 *
 * A message has no id for NATS' own removal of duplicates: that would take a stale leader's line for the new
 * leader's. After an error the stored line is read, and its hash compared.
 */
export class JetLog {
  readonly #stream: LineStream
  /** Lines without an acknowledgement, oldest first. */
  readonly #pending: Pending[] = []
  /** A stream may begin in the middle of a journal. */
  #offset: number | undefined
  /** The stream's last message at the start. */
  #lastPlace = 0
  #first: Sequence | undefined
  #end: JournalEnd | undefined
  #lastWriter: Writer | undefined
  /** Is named in the lines that are appended. */
  writer: Writer | undefined
  /** The last line handed over. */
  #sent: Sequence | undefined
  #isRecovering = false
  readonly #trouble: LogTrouble
  #failure: Error | undefined
  #isClosed = false

  private constructor(stream: LineStream) {
    this.#stream = stream
    this.#trouble = new LogTrouble(stream.connection)
  }

  /**
   * Reads where the log ends. Closes the connection if that fails.
   *
   * @param marked a line that the log is known to have: a leader just elected may not show its end yet
   */
  static async open(stream: LineStream, marked = 0): Promise<JetLog> {
    const log = new JetLog(stream)
    try {
      for (let looks = LOOKS_BEFORE_LOST; looks > 0; looks--) {
        await oncePassed(() => log.readEnd())
        if ((log.end?.sequence ?? 0) >= marked) break
        await pause()
      }
    } catch (error) {
      await log.close()
      throw error
    }
    return log
  }

  /** Calls back with why no line is acknowledged, and with undefined once one is. */
  onTrouble(told: (reason: string | undefined) => void): void {
    this.#trouble.told = told
  }

  /** The first line that it had at the last look; undefined if it was empty. */
  get first(): Sequence | undefined {
    return this.#first
  }

  /** The journal's sequence less the stream's; undefined if it is not known yet. */
  get offset(): number | undefined {
    return this.#offset
  }

  /** The last line that the log is known to hold; undefined if it is empty. */
  get end(): JournalEnd | undefined {
    return this.#end
  }

  /** The writer of the last line, as of the last look at the end. */
  get lastWriter(): Writer | undefined {
    return this.#lastWriter
  }

  /** The number of lines without an acknowledgement. */
  get pendingCount(): number {
    return this.#pending.length
  }

  /** Reads where the log ends; to be called before the first line is appended. */
  async readEnd(): Promise<void> {
    const { first, last, line } = await endsOf(this.#stream)
    this.#lastPlace = last
    if (line === undefined) return
    this.#offset = line.row.sequence - line.place
    this.#first = (first + this.#offset) as Sequence
    this.#lastWriter = line.writer
    this.#reach(line.row)
  }

  /** Returns the line with a sequence; undefined if the log lacks it. */
  async line(sequence: Sequence): Promise<JournalRow | undefined> {
    if (this.#offset === undefined || sequence <= this.#offset) return undefined
    const line = await lineAt(this.#stream, sequence - this.#offset)
    assert(line === undefined || line.row.sequence === sequence, 'the stream has every line of the journal')
    return line?.row
  }

  /** Returns false if the log goes on with lines that this exchange has not appended. */
  async isOwn(): Promise<boolean> {
    const { line } = await endsOf(this.#stream)
    if (line === undefined) return true
    const { sequence, hash } = line.row
    // Acknowledgements that came meanwhile are of lines behind it.
    if (this.#end !== undefined && sequence < this.#end.sequence) return true
    const own = [this.#end, ...this.#pending.map(({ row }) => row)].find(row => row?.sequence === sequence)
    return own?.hash.equals(hash) === true
  }

  /**
   * Appends a line to the one before it; resolves once the log holds it. Lines may be appended without
   * waiting. Rejects with `FencedError` if another line is there, as every later call does.
   */
  append(row: JournalRow): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    // The first one may follow lines that the log got since its end was read.
    assert(this.#sent === undefined || row.sequence === this.#sent + 1, 'lines are appended in order')
    this.#offset ??= row.sequence - 1 - this.#lastPlace
    this.#sent = row.sequence
    const fault = sizeFault(row, this.#stream.connection.info?.max_payload)
    if (fault !== undefined) {
      this.#fail(fault)
      return Promise.reject(fault)
    }
    return new Promise((resolve, reject) => {
      this.#pending.push({ row, done: resolve, failed: reject })
      if (this.#pending.length === 1) this.#publishNext()
    })
  }

  /**
   * Yields the lines from a sequence on as they arrive, without end; it ends once the log is closed. Throws
   * TrimmedError if the log no longer has the next one.
   */
  async *read(from: Sequence): AsyncGenerator<JournalRow, void, undefined> {
    let next = from
    while (!this.#isClosed) {
      try {
        for await (const row of readLines(this.#stream, next, this.#offset)) {
          yield row
          next = (row.sequence + 1) as Sequence
        }
      } catch (error) {
        if (this.#isClosed) return
        if (!isPassing(error)) throw error
      }
      if (!this.#isClosed) await pause()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#fail(new Error('the log is closed'))
    await this.#stream.connection.close()
  }

  /** Publishes the first line that is not held, unless it is being found out which that is. */
  #publishNext(): void {
    const first = this.#pending[0]
    if (first === undefined || this.#isRecovering) return
    const { row } = first
    const place = row.sequence - (this.#offset as number)
    const { subject, name, client } = this.#stream
    client
      .publish(subject, row.commands, {
        headers: headersOf(row, this.writer),
        expect: { lastSequence: place - 1, streamName: name },
        timeout: REQUEST_MS,
      })
      .then(
        ack => this.#acknowledged(row, ack, place),
        error => this.#doubt(error),
      )
  }

  #acknowledged(row: JournalRow, ack: PubAck, place: number): void {
    if (ack.seq !== place || ack.duplicate) {
      this.#fail(new FencedError(`batch ${row.sequence} was stored as message ${ack.seq}, not ${place}`))
      return
    }
    // Nothing is pending any more once the log has failed.
    if (this.#pending[0]?.row !== row) return
    this.#hold()
    this.#publishNext()
  }

  #hold(): void {
    this.#trouble.noteAcknowledged()
    const held = this.#pending.shift() as Pending
    this.#reach(held.row)
    held.done()
  }

  #reach({ sequence, at, hash }: JournalRow): void {
    this.#end = { sequence, at, hash }
  }

  /** Takes an error as no answer: the line may be stored or not. */
  #doubt(error: unknown): void {
    if (this.#pending.length === 0) return
    this.#isRecovering = true
    this.#trouble.noteAttempt(error)
    this.#recover().catch(reason => this.#fail(reason as Error))
  }

  /** Reads which of the pending lines are stored, and publishes the others again. */
  async #recover(): Promise<void> {
    let looksWithGap = 0
    if (this.#trouble.isRepeated) await pause()
    for (;;) {
      if (this.#failure !== undefined) return
      try {
        await this.#holdStored()
        const first = this.#pending[0]
        if (first === undefined || !(await this.#hasGapBefore(first.row))) break
        looksWithGap++
        if (looksWithGap >= LOOKS_BEFORE_LOST) {
          const { sequence } = first.row
          throw new LogLostError(`the log has lost batch ${sequence - 1}, which it had acknowledged`)
        }
      } catch (error) {
        if (!isPassing(error)) throw error
        this.#trouble.noteAttempt(error)
      }
      await pause()
    }
    this.#isRecovering = false
    this.#publishNext()
  }

  async #holdStored(): Promise<void> {
    for (let next = this.#pending[0]; next !== undefined; next = this.#pending[0]) {
      const { sequence, hash } = next.row
      const stored = await this.line(sequence)
      // It may have failed meanwhile.
      if (this.#pending[0] !== next) continue
      if (stored === undefined) return
      if (!stored.hash.equals(hash)) {
        throw new FencedError(`another exchange wrote batch ${sequence} to the log ${this.#stream.name}`)
      }
      this.#hold()
    }
  }

  /** Returns true if the log ends before the line that precedes this one, which it does not have. */
  async #hasGapBefore({ sequence }: JournalRow): Promise<boolean> {
    const { name, manager } = this.#stream
    const { first_seq: first, last_seq: last } = (await manager.streams.info(name)).state
    const place = sequence - (this.#offset as number)
    // A leader deletes only what the log has acknowledged to it, so this was the line of another.
    if (place < first) throw new FencedError(`another exchange has gone on, and the log ${name} is trimmed`)
    return last < place - 1
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const { failed } of this.#pending.splice(0)) failed(this.#failure)
  }
}

const pause = () => new Promise<void>(resolve => setTimeout(resolve, PAUSE_MS))
