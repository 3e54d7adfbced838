import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createPrivateFile, writePrivateFile } from '../files/private-files.js'
import { syncPath } from '../files/sync-path.js'
import type { ChainHead } from './decision-chain.js'

/** The file of a data directory that names the last decision about access. */
export const DECISION_MARK_FILE = 'raay.access'

const NUMBER_DIGITS = 16
const TEXT = /^(\d{16}) ([0-9a-f]{64}) ([0-9a-f]{16})\n$/
const NONE: ChainHead = { number: 0, hash: '0'.repeat(64) }

/**
 * Names the last decision about access in a file beside the accounts, so that a start notices if they lack
 * it, for instance because they are gone, or an older copy. Decision 0 means that accounts may begin empty.
 * Writing waits for no disk: after a power cut the mark may be older than the accounts, never newer.
 */
export class DecisionMark {
  readonly path: string

  /** @param file the tables of the exchange */
  constructor(file: string) {
    this.path = join(dirname(file), DECISION_MARK_FILE)
  }

  /** Returns undefined if the file is missing, or cannot be read as a mark: then it says nothing. */
  read(): ChainHead | undefined {
    if (!existsSync(this.path)) return undefined
    const [, number = '', hash = '', sum] = TEXT.exec(readFileSync(this.path, 'latin1')) ?? []
    return sum !== undefined && sum === sumOf(number, hash) ? { number: Number(number), hash } : undefined
  }

  /** Lets a start begin without accounts; on disk when it returns. */
  allowNone(): void {
    writePrivateFile(this.path, textOf(NONE))
    syncPath(dirname(this.path))
  }

  /** Names the last decision. The text always has the same length, and one write replaces it whole. */
  write(head: ChainHead): void {
    createPrivateFile(this.path)
    const descriptor = openSync(this.path, 'r+')
    try {
      writeSync(descriptor, textOf(head), 0)
    } finally {
      closeSync(descriptor)
    }
  }
}

function textOf({ number, hash }: ChainHead): string {
  const digits = String(number).padStart(NUMBER_DIGITS, '0')
  return `${digits} ${hash} ${sumOf(digits, hash)}\n`
}

function sumOf(number: string, hash: string): string {
  return createHash('sha256').update(`${number} ${hash}`).digest('hex').slice(0, 16)
}
