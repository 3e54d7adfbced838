import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyTo } from '../../../src/store/files/backup-file.js'
import { JOURNAL_FILE, journalPath, TABLES_FILE } from '../../../src/store/files/journal-path.js'
import type { Dice } from '../../fixtures/dice.js'

/** Syncs cost nothing on a RAM disk; other tests check what survives a power cut. */
const RAM_DISK = '/dev/shm'
const TORN_SHARE = 30
const TORN_BYTES_MAX = 9000
const POWER_CUT_SHARE = 40
const LOG_HEAD_BYTES = 32
const SECTOR_BYTES = 512

/** The state of the logs that a dead process left. */
export interface Remains {
  /** Something that belongs to no transaction stands at the end of a log. */
  readonly isTorn: boolean
  /** The tables' log has lost something that was never synced. */
  readonly hasLostTables: boolean
}

/** The directory of the exchange, replaced after each crash by the image the crash left. */
export class Disk {
  readonly #dice: Dice
  readonly #folder: string
  #images = 0
  #directory: string

  constructor(dice: Dice) {
    this.#dice = dice
    this.#folder = mkdtempSync(join(existsSync(RAM_DISK) ? RAM_DISK : tmpdir(), 'raay-simulation-'))
    this.#directory = join(this.#folder, '0')
    mkdirSync(this.#directory)
  }

  get file(): string {
    return join(this.#directory, TABLES_FILE)
  }

  /** The path at which the simulation keeps a backup. */
  get backup(): string {
    return join(this.#folder, 'backup.db')
  }

  /**
   * Copies what a dead process leaves behind. The journal has all that was committed; of the tables' log a
   * power cut leaves any part.
   *
   * @param isRelaxed whether nothing of the tables' log has been synced
   */
  takeImage(isRelaxed: boolean): Remains {
    this.#images++
    const image = this.#lastImage()
    cpSync(this.#directory, image, { recursive: true })
    const tablesLog = join(image, `${TABLES_FILE}-wal`)
    const isCut = isRelaxed && existsSync(tablesLog) && this.#dice.percent(POWER_CUT_SHARE)
    const hasLostTables = isCut && this.#cut(tablesLog)
    const logs = [join(image, `${JOURNAL_FILE}-wal`), ...(hasLostTables ? [] : [tablesLog])]
    const torn = logs.filter(log => existsSync(log) && this.#dice.percent(TORN_SHARE))
    for (const log of torn) {
      appendFileSync(log, Buffer.alloc(this.#dice.between(1, TORN_BYTES_MAX), this.#dice.between(0, 255)))
    }
    return { isTorn: torn.length > 0, hasLostTables }
  }

  /** The next process starts on the image. */
  useImage(): void {
    rmSync(this.#directory, { recursive: true, force: true })
    this.#directory = this.#lastImage()
  }

  /** Keeps a backup of now in the place of the one before. */
  backUp(): void {
    rmSync(this.backup, { force: true })
    copyTo(this.file, this.backup)
  }

  /** Puts another file in the place of the tables, without a log. */
  replaceTables(by: string): void {
    this.#removeLogOf(this.file)
    cpSync(by, this.file)
  }

  /** Puts tables and journal into one file. */
  joinFiles(): void {
    const joined = `${this.file}.joined`
    const journal = journalPath(this.file)
    copyTo(this.file, joined)
    this.#removeLogOf(journal)
    rmSync(journal)
    this.replaceTables(joined)
    rmSync(joined)
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Cuts a log short, or loses some of its sectors. Returns whether anything is lost. */
  #cut(log: string): boolean {
    const bytes = readFileSync(log)
    if (bytes.length <= LOG_HEAD_BYTES) return false
    const isShort = this.#dice.percent(40)
    const length = isShort ? this.#dice.between(LOG_HEAD_BYTES, bytes.length) : bytes.length
    let hasLost = length < bytes.length
    const lostPercent = this.#dice.oneOf([0, 2, 20, 90])
    for (let at = SECTOR_BYTES; at < length; at += SECTOR_BYTES) {
      if (!this.#dice.percent(lostPercent)) continue
      bytes.fill(0, at, Math.min(at + SECTOR_BYTES, length))
      hasLost = true
    }
    writeFileSync(log, bytes.subarray(0, length))
    return hasLost
  }

  #removeLogOf(file: string): void {
    for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true })
  }

  #lastImage(): string {
    return join(this.#folder, String(this.#images))
  }
}
