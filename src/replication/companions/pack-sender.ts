import type { StoreKeys } from '../../backup/stores/encrypted-store.js'
import type { CompanionKind } from '../../store/companions/companion-kind.js'
import type { Held, PackPlace } from '../../store/companions/companion-outbox.js'
import { OutboxReader, ownersOf } from '../../store/companions/companion-outbox.js'
import { chainHead } from '../../store/companions/decision-chain.js'
import type { RowImage } from '../../store/companions/table-rows.js'
import type { Database } from '../../store/database.js'
import { openReadOnly } from '../../store/database.js'
import { newestVersion } from '../../store/schema.js'
import { FencedError, LogLostError } from '../replication-error.js'
import type { OwnFile } from './followed-file.js'
import { newOwner, renamedFile } from './followed-file.js'
import type { PackHead } from './pack.js'
import { BODY_SIZE_MAX, BrokenPackError, NO_HASH, packRows, writePack } from './pack.js'
import type { PackLog } from './pack-log.js'
import { goesOnFrom, isLedAfter, lastPack, packAt, PAUSE_MS, putOnce } from './pack-log.js'
import { PackPutting, PAUSE_MS_MAX, StoppedError } from './pack-putting.js'
import { PackTrimmer } from './pack-trimmer.js'
import { partsOf, Snapshot } from './row-parts.js'

interface SenderOptions {
  readonly log: PackLog
  readonly kind: CompanionKind
  /** The companion's file, which an exchange has open. */
  readonly path: string
  readonly owner: string
  readonly epoch: number
  readonly recipients: StoreKeys['recipients']
  /** Called with what the log has, once a take-over would begin with it. */
  readonly held: (held: Held) => void
  /** Called with why attempts fail; undefined once one succeeds. */
  readonly failing: (reason: string | undefined) => void
  /** Called with why old packs cannot be deleted; undefined once they are. */
  readonly untrimmed: (reason: string | undefined) => void
  readonly warn: (message: string) => void
  readonly pause: (ms: number) => Promise<void>
  /** Returns true if the exchange stops: what the log does not take at once is left. */
  readonly isClosing?: () => boolean
}

/** Text of the rows that are read at one moment, and written together. */
const TOGETHER_LENGTH_MAX = 8_000_000
/** A snapshot follows packs that cost as much to read as this, or as two snapshots. */
const SNAPSHOT_AFTER_MIN = 8_000_000
/** The cost of reading a pack, in bytes, beside its own. */
const PACK_COST = 4000
const NO_SNAPSHOT = { base: 0, until: 0, baseSize: 0, sizeSince: 0 }

/** The log could not be read as the file was opened, and has rows of others that it lacks. */
class StaleFileError extends Error {}

/**
 * Sends the rows in the outbox of a companion to its log, and now and then a snapshot of all rows, so that
 * nobody need read the log from its beginning. Rows that change meanwhile are sent between the packs of a
 * snapshot: nobody waits for it, and a reader takes them after it.
 */
export class PackSender {
  readonly #options: SenderOptions
  readonly #version: number
  readonly #database: Database
  readonly #outbox: OutboxReader
  readonly #trimmer: PackTrimmer
  readonly #putting: PackPutting
  readonly #decision: () => number
  #owner: string
  /** The last pack. */
  #end: PackPlace = { place: 0, hash: NO_HASH }
  #number = 0
  #base = 0
  #until = 0
  #baseSize = 0
  #sizeSince = 0
  /** Packs before this are of no use once there is another snapshot. */
  #trimTo = 0
  #snapshot: Snapshot | undefined

  constructor(options: SenderOptions) {
    this.#options = options
    this.#owner = options.owner
    this.#version = newestVersion(options.kind.schema)
    this.#database = openReadOnly(options.path)
    this.#outbox = new OutboxReader(this.#database)
    this.#trimmer = new PackTrimmer(options.log, options.untrimmed)
    // A log that is down keeps no snapshot open: a file that is being read keeps its write-ahead log.
    this.#putting = new PackPutting({ ...options, isSlow: () => this.#dropSnapshot() })
    const head = chainHead(this.#database)
    this.#decision = () => head()?.number ?? 0
  }

  /**
   * Begins to lead: puts a pack behind the last one, so that another exchange which led the log finds its
   * next place taken. If the log has rows that this file lacks, or another file's, it gets a snapshot.
   * Rejects with FencedError if an exchange leads that began after this one, and for a file that is read from
   * the log with BrokenPackError if it cannot be.
   *
   * @param look returns the file, brought up to the log's end if it is another exchange's
   * @param triesMax how often a log that was read to its end may refuse the pack; after that it returns false
   */
  async begin(look: () => Promise<OwnFile>, triesMax = Number.POSITIVE_INFINITY): Promise<boolean> {
    const { failing, pause, isClosing } = this.#options
    let failedMs = PAUSE_MS
    for (let tries = 1; ; ) {
      let waitMs = PAUSE_MS
      let own: OwnFile | undefined
      try {
        own = await look()
        if (await this.#beginAt(own)) break
      } catch (error) {
        if (isClosing?.() === true) throw new StoppedError()
        if (!(await this.#isOvertaken(error, own))) {
          if (own !== undefined && tries++ >= triesMax) return false
          waitMs = failedMs
          failedMs = Math.min(2 * failedMs, PAUSE_MS_MAX)
        }
      }
      if (isClosing?.() === true) throw new StoppedError()
      await pause(waitMs)
    }
    failing(undefined)
    this.#tellHeld()
    return true
  }

  /** Returns whether another pack was faster, behind which it may begin. Throws an error that ends all. */
  async #isOvertaken(error: unknown, own: OwnFile | undefined): Promise<boolean> {
    const { log, epoch, failing } = this.#options
    if (own === undefined && error instanceof BrokenPackError) throw error
    if (error instanceof StaleFileError) throw error
    failing(messageOf(error))
    if (!(error instanceof FencedError)) return false
    if (await isLedAfter(log, epoch))
      throw new FencedError(`${log.name} was taken over in an epoch after ${epoch}`)
    return true
  }

  /** Sends some of what is there; returns false if there is nothing. Rejects if another exchange went on. */
  async send(): Promise<boolean> {
    try {
      return (await this.#sendRows()) || (await this.#sendSnapshot())
    } catch (error) {
      this.#dropSnapshot()
      if (!(error instanceof LogLostError)) throw error
      await this.#beginAgain(error)
      return true
    }
  }

  /**
   * Goes on in a log that lacks packs which it had: it was made again, or restored as of an earlier time. It
   * gets all rows, from another owner: readers skip those of one that they have followed.
   */
  async #beginAgain({ message }: LogLostError): Promise<void> {
    const { path, kind, warn } = this.#options
    const owner = newOwner()
    const own = renamedFile(path, owner)
    // Not before the file has it: a start would take packs of that owner for another exchange's.
    this.#owner = owner
    warn(`${message}. All rows of ${kind.name} are sent again`)
    await this.begin(async () => ({ ...own, hasLed: true }))
  }

  close(): void {
    this.#dropSnapshot()
    this.#database.close()
  }

  async #beginAt({ lineage, counter, place, seen, hasLed = false }: OwnFile): Promise<boolean> {
    const { log, epoch } = this.#options
    const last = await lastPack(log)
    if (last !== undefined && last.head.epoch > epoch) throw new FencedError('it is led in a later epoch')
    if (place !== undefined && place !== (last?.head.place ?? 0)) return false
    // One who led earlier may have gone on in it, and may still do so: it told nobody.
    const isKnown = hasLed && last !== undefined && last.head.epoch < epoch
    const isSeen = isKnown || place !== undefined || seen === last?.head.place
    if (!isSeen && !goesOnFrom(last, { lineage, counter }))
      throw new StaleFileError(`${log.name} has rows that this exchange lacks: a start takes them`)
    // A file older than the log, such as a copy, has given fewer numbers than it.
    const isSame =
      last !== undefined &&
      lineage !== undefined &&
      ownersOf(lineage).includes(last.head.owner) &&
      (await packAt(log, lineage.place))?.hash === lineage.hash &&
      last.head.number <= counter &&
      last.head.version === this.#version
    // Until there is a snapshot of this file, the state before is what a take-over can begin with.
    const { base, until, baseSize, sizeSince } = last?.head ?? NO_SNAPSHOT
    this.#end = last === undefined ? { place: 0, hash: NO_HASH } : { place: last.head.place, hash: last.hash }
    this.#number = isSame ? last.head.number : 0
    this.#base = base
    this.#until = isSame || base === 0 || until > 0 ? until : this.#end.place + 1
    this.#baseSize = baseSize
    this.#sizeSince = sizeSince
    this.#trimTo = this.#end.place + 1
    const head = this.#headOf({ kind: 'begin', isFirst: true, isLast: true, decision: 0 })
    const pack = writePack({ ...head, isCut: false }, Buffer.alloc(0))
    if (!(await putOnce(log, head.place, pack.bytes)))
      throw new Error(`${log.name} took no pack ${head.place}`)
    this.#end = { place: head.place, hash: pack.hash }
    return true
  }

  async #sendRows(): Promise<boolean> {
    const { read, decision } = this.#database.transaction(() => ({
      read: this.#outbox.read(this.#number, TOGETHER_LENGTH_MAX),
      decision: this.#decision(),
    }))()
    if (read === undefined) return false
    let isFirst = true
    for (const { rows, isLast } of partsOf(read.rows)) {
      await this.#pack({ kind: 'rows', isFirst, isLast, decision }, rows, read.through)
      isFirst = false
    }
    this.#tellHeld()
    return true
  }

  /** Sends the next pack of a snapshot, if one is due. */
  async #sendSnapshot(): Promise<boolean> {
    const isDue = !this.#isUseful || this.#sizeSince > Math.max(SNAPSHOT_AFTER_MIN, 2 * this.#baseSize)
    if (this.#snapshot === undefined && !isDue) return false
    const isFirst = this.#snapshot === undefined
    const snapshot = this.#snapshot ?? new Snapshot(this.#options.path, this.#end.place + 1)
    this.#snapshot = snapshot
    const { rows, isLast } = snapshot.take()
    await this.#pack({ kind: 'snapshot', isFirst, isLast, decision: snapshot.decision }, rows)
    // Unless the log was down for long, and the snapshot was given up.
    if (isLast && this.#snapshot !== undefined) this.#endSnapshot(snapshot)
    return true
  }

  #endSnapshot({ first, size, since }: Snapshot): void {
    this.#dropSnapshot()
    // A reader that has begun at the snapshot before this one finds what it needs.
    const trimTo = this.#isUseful ? this.#base : this.#trimTo
    this.#base = first
    this.#until = 0
    this.#baseSize = size
    this.#sizeSince = since
    this.#tellHeld()
    this.#trimmer.trim(trimTo)
  }

  #dropSnapshot(): void {
    this.#snapshot?.close()
    this.#snapshot = undefined
  }

  /** False as long as the log has no snapshot of this file: what it has of it is of no use to anyone. */
  get #isUseful(): boolean {
    return this.#base > 0 && this.#until === 0
  }

  #tellHeld(): void {
    const { epoch, held } = this.#options
    if (this.#isUseful) held({ number: this.#number, ...this.#end, epoch })
  }

  #headOf(part: Pick<PackHead, 'kind' | 'isFirst' | 'isLast' | 'decision'>): Omit<PackHead, 'isCut'> {
    const { kind, epoch, recipients } = this.#options
    return {
      place: this.#end.place + 1,
      companion: kind.companion,
      ...{ owner: this.#owner, epoch, version: this.#version, number: this.#number },
      ...{ base: this.#base, until: this.#until, baseSize: this.#baseSize, sizeSince: this.#sizeSince },
      ...{ isEncrypted: recipients.length > 0, before: this.#end.hash },
      ...part,
    }
  }

  /** @param through the last number of the outbox that a reader has with the last of these packs */
  async #pack(
    { kind, isFirst, isLast, decision }: Pick<PackHead, 'kind' | 'isFirst' | 'isLast' | 'decision'>,
    rows: readonly RowImage[],
    through = this.#number,
  ): Promise<void> {
    const body = await packRows(rows, this.#options.recipients)
    for (let from = 0; from < body.length; from += BODY_SIZE_MAX) {
      const isEnd = from + BODY_SIZE_MAX >= body.length
      const part = { kind, decision, isFirst: isFirst && from === 0, isLast: isLast && isEnd }
      const snapshot = kind === 'snapshot' && part.isLast ? this.#snapshot : undefined
      const whole = snapshot && {
        base: snapshot.first,
        until: 0,
        baseSize: snapshot.size,
        sizeSince: snapshot.since,
      }
      const number = part.isLast ? through : this.#number
      const head: PackHead = { ...this.#headOf(part), ...whole, number, isCut: !isEnd }
      const pack = writePack(head, body.subarray(from, from + BODY_SIZE_MAX))
      await this.#putting.put(head.place, pack.bytes)
      this.#end = { place: head.place, hash: pack.hash }
      this.#number = number
      const size = pack.bytes.length + PACK_COST
      if (kind === 'rows') this.#sizeSince += size
      if (this.#snapshot !== undefined) this.#snapshot[kind === 'rows' ? 'since' : 'size'] += size
    }
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
