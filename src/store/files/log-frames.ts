import { closeSync, readSync } from 'node:fs'
import { openIfThere } from './open-if-there.js'

/** The facts that a start needs about the write-ahead log before SQLite reads it. */
export interface LogReading {
  /** Committed transactions before the first break. */
  readonly commits: number
  /** The id in the last committed version of page 1; undefined if no commit wrote that page. */
  readonly id: number | undefined
  /** The version of the tables in that page. */
  readonly version: number | undefined
  /** Corruption of synced frames; SQLite would silently drop them and everything after them. */
  readonly damage: LogDamage | undefined
}

export interface LogDamage {
  /** The broken frame, counted from 1; 0 is the log's header. */
  readonly frame: number
  readonly frames: number
  /** The frame's offset in bytes: a log truncated here is intact. */
  readonly offset: number
}

/** The numbers in the first page of a database that say whose it is. */
export interface Stamp {
  readonly id: number
  readonly version: number
}

type Checksum = readonly [number, number]

/** The part of a frame's head that its checksum covers. */
interface FrameHead {
  readonly page: number
  /** The size of the file in pages if the frame commits, else 0. */
  readonly size: number
}

/** The log's header, and the header of each frame (https://sqlite.org/fileformat2.html#walformat). */
const HEAD_BYTES = 32
const FRAME_HEAD_BYTES = 24
const MAGIC = 0x377f0682
const PAGE_BYTES = 4096
/** The offsets of `user_version` and `application_id` in the first page. */
const VERSION_OFFSET = 60
export const ID_OFFSET = 68
const READ_FRAMES = 256
/** The unit that a disk writes atomically. */
const SECTOR_BYTES = 512
/** Bounds a head before the first commit, which says how large the file is: 256 GB. */
const PAGES_MAX = 2 ** 26

/**
 * Reads a write-ahead log as SQLite does: each frame's checksum continues the one before, up to the first
 * that does not. SQLite treats a break as the end, because a power cut tears the last transaction; but frames
 * cut off by a corrupted byte had been acknowledged.
 * Every commit to the journal is synced before the next transaction writes its first frame. So if a frame
 * after the break continues from a commit at or after the break, the broken part had been synced, and no
 * power cut explains it. Its checksum must continue that commit's, because frames of a rolled-back
 * transaction have the same salts. What did not arrive in a power cut may look like a commit: noise, or a
 * head of an older round. So the head of a broken frame must be possible, and come from one sector or from
 * the frame's page and checksum. Frames of an older round of the log have other salts and prove nothing.
 * The header is written in one sector and synced before any frame of its round, so a broken header before
 * such frames is damage as well.
 * SQLite keeps no locks on the log, so reading it drops none.
 */
export function readLog(path: string): LogReading {
  const descriptor = openIfThere(path)
  if (descriptor === undefined) return { commits: 0, id: undefined, version: undefined, damage: undefined }
  try {
    return new LogReader(descriptor).read()
  } finally {
    closeSync(descriptor)
  }
}

class LogReader {
  readonly #descriptor: number
  #isLittleEndian = true
  #pageBytes = PAGE_BYTES
  #salts: bigint | undefined
  #commits = 0
  /** The size of the file after the last commit, in pages. */
  #size = PAGES_MAX
  #stamp: Stamp | undefined
  /** The one of a transaction whose commit has not been read yet. */
  #pendingStamp: Stamp | undefined
  #broken: number | undefined
  #isProven = false

  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  read(): LogReading {
    const head = Buffer.alloc(HEAD_BYTES)
    if (readSync(this.#descriptor, head, 0, HEAD_BYTES, 0) < HEAD_BYTES) return this.#reading(0)
    this.#readHead(head)
    let before: readonly Checksum[] = [[head.readUInt32BE(24), head.readUInt32BE(28)]]
    let isAfterCommit = false
    let frames = 0
    for (const frame of this.#frames()) {
      frames++
      const salts = frame.readBigUInt64BE(8)
      this.#salts ??= salts
      const stored: Checksum = [frame.readUInt32BE(16), frame.readUInt32BE(20)]
      const head = headOf(frame)
      const sums = before.map(sum => this.#checksum(frame, sum))
      const follows = salts === this.#salts && sums.some(sum => isSame(sum, stored))
      if (this.#broken === undefined && !follows) this.#broken = frames
      if (this.#broken === undefined) this.#take(frame, head)
      else if (follows && isAfterCommit) this.#isProven = true
      // In a broken frame, either the contents or the stored checksum may be right.
      isAfterCommit = (follows ? head : this.#likelyHead(frame, frames, before, stored)).size !== 0
      before = follows ? [stored] : [stored, ...sums.slice(0, 1)]
    }
    return this.#reading(frames)
  }

  /** Reads the header. If it is broken, the first frame's salts and the usual page size stand in for it. */
  #readHead(head: Buffer): void {
    const magic = head.readUInt32BE(0)
    this.#isLittleEndian = magic !== MAGIC + 1
    const stored: Checksum = [head.readUInt32BE(24), head.readUInt32BE(28)]
    const isMagic = magic === MAGIC || magic === MAGIC + 1
    if (!isMagic || !isSame(this.#sum(head, 0, 24, [0, 0]), stored)) {
      this.#isLittleEndian = true
      this.#broken = 0
      return
    }
    this.#pageBytes = head.readUInt32BE(8)
    this.#salts = head.readBigUInt64BE(16)
  }

  #take(frame: Buffer, { page, size }: FrameHead): void {
    if (page === 1) this.#pendingStamp = stampOf(frame.subarray(FRAME_HEAD_BYTES))
    if (size === 0) return
    this.#commits++
    this.#size = size
    this.#stamp = this.#pendingStamp ?? this.#stamp
    this.#pendingStamp = undefined
  }

  /**
   * Returns the head that a broken frame was written with. If its page and its stored checksum are right,
   * they imply it; if its head is in one sector, it is as old as the checksum. Otherwise returns no commit.
   */
  #likelyHead(frame: Buffer, number: number, before: readonly Checksum[], stored: Checksum): FrameHead {
    // A file grows by no more pages than its log has frames.
    const pagesMax = this.#size + number
    const isWhole = (this.#offsetOf(number) % SECTOR_BYTES) + FRAME_HEAD_BYTES <= SECTOR_BYTES
    const implied = before.map(sum => this.#impliedHead(frame, sum, stored))
    const heads = isWhole ? [...implied, headOf(frame)] : implied
    const isPossible = ({ page, size }: FrameHead) =>
      page > 0 && page <= pagesMax && (size === 0 || (size >= page && size <= pagesMax))
    return heads.find(isPossible) ?? { page: 0, size: 0 }
  }

  /** Calculates the head that leads from one checksum to the next: the sum of the page, run backwards. */
  #impliedHead(frame: Buffer, before: Checksum, after: Checksum): FrameHead {
    const view = new DataView(frame.buffer, frame.byteOffset, frame.length)
    let [one, other] = after
    for (let at = frame.length - 8; at >= FRAME_HEAD_BYTES; at -= 8) {
      other = (other - view.getUint32(at + 4, this.#isLittleEndian) - one) | 0
      one = (one - view.getUint32(at, this.#isLittleEndian) - other) | 0
    }
    const head = Buffer.alloc(8)
    const words = new DataView(head.buffer, head.byteOffset, head.length)
    words.setUint32(0, (one - before[0] - before[1]) >>> 0, this.#isLittleEndian)
    words.setUint32(4, (other - before[1] - one) >>> 0, this.#isLittleEndian)
    return headOf(head)
  }

  #checksum(frame: Buffer, before: Checksum): Checksum {
    return this.#sum(frame, FRAME_HEAD_BYTES, frame.length, this.#sum(frame, 0, 8, before))
  }

  #sum(bytes: Buffer, from: number, to: number, before: Checksum): Checksum {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    let [one, other] = before
    for (let at = from; at < to; at += 8) {
      one = (one + view.getUint32(at, this.#isLittleEndian) + other) | 0
      other = (other + view.getUint32(at + 4, this.#isLittleEndian) + one) | 0
    }
    return [one >>> 0, other >>> 0]
  }

  *#frames(): Generator<Buffer> {
    const length = FRAME_HEAD_BYTES + this.#pageBytes
    const buffer = Buffer.alloc(READ_FRAMES * length)
    for (let at = HEAD_BYTES; ; at += buffer.length) {
      const count = Math.floor(readSync(this.#descriptor, buffer, 0, buffer.length, at) / length)
      for (let frame = 0; frame < count; frame++) yield buffer.subarray(frame * length, (frame + 1) * length)
      if (count < READ_FRAMES) return
    }
  }

  #reading(frames: number): LogReading {
    const frame = this.#broken ?? 0
    const offset = frame === 0 ? 0 : this.#offsetOf(frame)
    const damage = this.#isProven ? { frame, frames, offset } : undefined
    const { id, version } = this.#stamp ?? {}
    return { commits: this.#commits, id, version, damage }
  }

  /** Returns the offset of a frame, counted from 1. */
  #offsetOf(frame: number): number {
    return HEAD_BYTES + (frame - 1) * (FRAME_HEAD_BYTES + this.#pageBytes)
  }
}

/** Returns the stamp in a database's first page. */
export function stampOf(page: Buffer): Stamp {
  return { id: page.readUInt32BE(ID_OFFSET), version: page.readUInt32BE(VERSION_OFFSET) }
}

function headOf(frame: Buffer): FrameHead {
  return { page: frame.readUInt32BE(0), size: frame.readUInt32BE(4) }
}

function isSame([a, b]: Checksum, [c, d]: Checksum): boolean {
  return a === c && b === d
}
