import { appendFileSync, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Dice } from '../../fixtures/dice.js'

/** Syncs cost nothing on a RAM disk; other tests check what survives a power cut. */
const RAM_DISK = '/dev/shm'
const ENDS = ['', '-wal', '-shm'] as const
const TORN_SHARE = 30
const TORN_BYTES_MAX = 9000

/** The file of the exchange, replaced after each crash by the image the crash left. */
export class Disk {
  file: string
  readonly #dice: Dice
  readonly #folder: string
  #images = 0

  constructor(dice: Dice) {
    this.#dice = dice
    this.#folder = mkdtempSync(join(existsSync(RAM_DISK) ? RAM_DISK : tmpdir(), 'raay-simulation-'))
    this.file = join(this.#folder, 'raay-0.db')
  }

  /** Copies what a dead process leaves behind. Returns whether the end of the log is torn. */
  takeImage(): boolean {
    this.#images++
    const image = this.#lastImage()
    for (const end of ENDS) if (existsSync(this.file + end)) copyFileSync(this.file + end, image + end)
    if (!existsSync(`${image}-wal`) || !this.#dice.percent(TORN_SHARE)) return false
    const torn = Buffer.alloc(this.#dice.between(1, TORN_BYTES_MAX), this.#dice.between(0, 255))
    appendFileSync(`${image}-wal`, torn)
    return true
  }

  /** The next process starts on the image. */
  useImage(): void {
    for (const end of ENDS) rmSync(this.file + end, { force: true })
    this.file = this.#lastImage()
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #lastImage(): string {
    return join(this.#folder, `raay-${this.#images}.db`)
  }
}
