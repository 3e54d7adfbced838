import { randomFillSync } from 'node:crypto'
import { rmSync, statfsSync, statSync, truncateSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { createPrivateFile } from './files/private-files.js'
import type { Room, RoomState } from './room-state.js'
import { nextRoomState, ROOM_LIMITS } from './room-state.js'

const { keptBytes, releaseBytes, reserveBytes: reserveBytesMax } = ROOM_LIMITS
const MEGABYTE = 1024 * 1024
export const RESERVE_FILE = 'raay.reserve'

/**
 * Watches the free space of the data directory, and keeps a reserve there that a start, an orderly stop and
 * cancels may use when nothing else is left.
 */
export class DiskRoom implements Room {
  readonly #directory: string
  readonly #reserve: string
  readonly #free: (directory: string) => number
  #state: RoomState = 'ok'
  #freeBytes = 0
  #reserveBytes = 0
  #making: Promise<void> | undefined
  #isStopped = false
  #hasGivenUp = false

  /** @param free returns how many bytes are free, for tests */
  constructor(directory: string, free: (directory: string) => number = freeBytesIn) {
    this.#directory = directory
    this.#reserve = join(directory, RESERVE_FILE)
    this.#free = free
    this.#measure()
  }

  /** Starts watching, and makes room for a start. */
  static open(directory: string): DiskRoom {
    const room = new DiskRoom(directory)
    room.makeRoom()
    return room
  }

  get state(): RoomState {
    return this.#state
  }

  get freeBytes(): number {
    return this.#freeBytes
  }

  get reserveBytes(): number {
    return this.#reserveBytes
  }

  /** Releases the whole reserve if there is too little free space for a start or a stop. */
  makeRoom(): void {
    this.#measure()
    if (this.#freeBytes < releaseBytes) this.#giveUpTo(0)
  }

  /**
   * Measures again; to be called every second. Releases part of the reserve if cancels need it, and refills
   * the reserve if there is room. Returns a promise of the refill, or undefined if there is nothing to
   * refill.
   */
  look(): Promise<void> | undefined {
    if (this.#making !== undefined || this.#isStopped) return this.#making
    this.#measure()
    if (this.#freeBytes < releaseBytes) this.#giveUpTo(keptBytes)
    const bytes = this.#state === 'ok' ? reserveBytesMax : keptBytes
    if (this.#reserveBytes >= bytes || this.#freeBytes < keptBytes) return undefined
    this.#making = this.#growTo(bytes).finally(() => {
      this.#making = undefined
    })
    return this.#making
  }

  /** Stops watching, and makes room for what the stop has to write. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#making
    this.makeRoom()
  }

  /** Refills a released reserve after the stop, as far as the disk allows, for the next start. */
  async restore(): Promise<void> {
    if (this.#hasGivenUp) await this.#growTo(reserveBytesMax)
  }

  /**
   * Looks at the reserve as well: someone may have deleted it to free some space. Keeps the last figures
   * where the system gives none: the directory may just have been moved.
   */
  #measure(): void {
    try {
      this.#freeBytes = this.#free(this.#directory)
      this.#reserveBytes = statSync(this.#reserve, { throwIfNoEntry: false })?.size ?? 0
    } catch {
      return
    }
    this.#state = nextRoomState(this.#state, this.#freeBytes + this.#reserveBytes)
  }

  #giveUpTo(bytes: number): void {
    if (this.#reserveBytes <= bytes) return
    if (bytes === 0) rmSync(this.#reserve, { force: true })
    else truncateSync(this.#reserve, bytes)
    this.#reserveBytes = bytes
    this.#hasGivenUp = true
    this.#measure()
  }

  /**
   * Writes random bytes, which no file system can compress. If the disk fills up, the reserve stays smaller.
   */
  async #growTo(bytes: number): Promise<void> {
    const chunk = randomFillSync(Buffer.alloc(MEGABYTE))
    try {
      createPrivateFile(this.#reserve)
      const file = await open(this.#reserve, 'r+')
      try {
        while (this.#reserveBytes < bytes) {
          const { bytesWritten } = await file.write(chunk, 0, chunk.length, this.#reserveBytes)
          this.#reserveBytes += bytesWritten
        }
      } finally {
        await file.close()
      }
    } catch {
      // The part written counts; the next look tries again if there is room.
    }
  }
}

/** Returns the bytes that an unprivileged process may still write. */
export function freeBytesIn(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}
