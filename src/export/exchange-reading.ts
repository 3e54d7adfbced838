import type { Sequence, TimeMs } from '../core/units.js'
import type { JournalRow } from '../store/journal.js'
import type { ExchangeHeader } from './exchange-format.js'
import { COMMANDS, EXCHANGE_FORMAT, sha256 } from './exchange-format.js'
import { ExportError } from './export-error.js'

/** The last line of an exported exchange. */
interface ExchangeFooter {
  readonly end: true
  readonly sequence: number
  /** The hash of the last batch; null for an exchange without any. */
  readonly hash: string | null
  readonly header: string
}

/** Reads the first line. Throws ExportError if it is something else, or of a newer format. */
export function readHeader(line: string): ExchangeHeader {
  const header = parsed(line)
  if (header?.raay_exchange !== true) throw new ExportError('it is not an exchange that raay has exported')
  const { format, raay } = header as unknown as ExchangeHeader
  if (format === 1 || format === EXCHANGE_FORMAT) return header as unknown as ExchangeHeader
  throw new ExportError(
    `it has format ${format}, and this program knows ${EXCHANGE_FORMAT}: ` +
      `import it with Raay ${raay} or newer`,
  )
}

/** Reads a batch; undefined for any other line. */
export function readBatch(line: string): JournalRow | undefined {
  const at = line.indexOf(COMMANDS)
  if (at < 0 || !line.endsWith('}')) return undefined
  const facts = parsed(`${line.slice(0, at)}}`)
  const commands = line.slice(at + COMMANDS.length, -1)
  if (!isWhole(facts?.sequence) || !isWhole(facts.shard) || !isWhole(facts.at)) return undefined
  const hash = Buffer.from(String(facts.hash), 'hex')
  return { sequence: facts.sequence as Sequence, shard: facts.shard, at: facts.at as TimeMs, commands, hash }
}

/** Returns why the last line does not end this export; undefined if it does. */
export function footerFault(line: string, header: string, last: JournalRow | undefined): string | undefined {
  const footer = parsed(line) as unknown as ExchangeFooter | undefined
  if (footer?.end !== true) return 'the line there is neither a batch nor the last line'
  if (footer.header !== sha256(header)) return 'its first line was changed'
  const hash = last === undefined ? null : last.hash.toString('hex')
  if (footer.sequence === (last?.sequence ?? 0) && footer.hash === hash) return undefined
  return `its last line is of batch ${footer.sequence}, and batch ${last?.sequence ?? 0} is before it`
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const found: unknown = JSON.parse(line)
    return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
