import type { JournalRow } from '../store/journal.js'
import type { ExchangeHeader } from './exchange-format.js'
import { COMMANDS, EXCHANGE_FORMAT, sha256 } from './exchange-format.js'

export function headerLine(header: Omit<ExchangeHeader, 'format'>): string {
  return JSON.stringify({ raay_exchange: true, format: EXCHANGE_FORMAT, ...header })
}

/** Writes a batch. Its commands stand there as the journal has them: the hash is of their very text. */
export function batchLine({ sequence, shard, at, commands, hash }: JournalRow): string {
  const facts = JSON.stringify({ sequence, shard, at, hash: hash.toString('hex') })
  return `${facts.slice(0, -1)}${COMMANDS}${commands}}`
}

/** Writes the last line, with the hash of the last batch, to which all others lead, and of the first line. */
export function footerLine(header: string, sequence: number, hash: string | null): string {
  return JSON.stringify({ end: true, sequence, hash, header: sha256(header) })
}
