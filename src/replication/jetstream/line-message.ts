import type { MsgHdrs } from '@nats-io/transport-node'
import { headers } from '@nats-io/transport-node'
import type { Sequence, TimeMs } from '../../core/units.js'
import type { JournalRow } from '../../store/journal.js'
import type { ReplicationMode } from '../replica-messages.js'
import { LogLostError } from '../replication-error.js'

const [SEQUENCE, SHARD, AT, HASH] = ['Raay-Sequence', 'Raay-Shard', 'Raay-At', 'Raay-Hash']
/** More than the headers of a message take. */
const HEADERS_SIZE_MAX = 512
const [EXCHANGE, MODE] = ['Raay-Exchange', 'Raay-Mode']

/** The exchange that wrote a line, as one that takes over must know it. */
export interface Writer {
  /** The exchange's id: eight hexadecimal digits. */
  readonly exchange: string
  /** How long its answers wait. */
  readonly mode: ReplicationMode
}

/** Returns the headers of a line's message; its commands are the payload. */
export function headersOf({ sequence, shard, at, hash }: JournalRow, writer?: Writer): MsgHdrs {
  const all = headers()
  all.set(SEQUENCE, String(sequence))
  all.set(SHARD, String(shard))
  all.set(AT, String(at))
  all.set(HASH, hash.toString('hex'))
  if (writer !== undefined) {
    all.set(EXCHANGE, writer.exchange)
    all.set(MODE, writer.mode)
  }
  return all
}

/** Reads who wrote a line; undefined if its message does not say. */
export function writerOf(all: MsgHdrs | undefined): Writer | undefined {
  const [exchange, mode] = [all?.get(EXCHANGE) ?? '', all?.get(MODE)]
  if (!/^[0-9a-f]{8}$/.test(exchange) || (mode !== 'sync' && mode !== 'async')) return undefined
  return { exchange, mode }
}

/** Reads a line from a message. Throws for one that no exchange wrote. */
export function rowOf(all: MsgHdrs | undefined, data: Uint8Array): JournalRow {
  const number = (name: string): number => {
    const text = all?.get(name) ?? ''
    if (!/^\d{1,16}$/.test(text)) throw new LogLostError(`a message of the log has no ${name}`)
    return Number(text)
  }
  const hash = Buffer.from(all?.get(HASH) ?? '', 'hex')
  if (hash.length !== 32) throw new LogLostError(`a message of the log has no ${HASH}`)
  return {
    sequence: number(SEQUENCE) as Sequence,
    shard: number(SHARD),
    at: number(AT) as TimeMs,
    commands: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8'),
    hash,
  }
}

/** Returns why servers would take a line as often as it is sent, and never store it. */
export function sizeFault(
  { sequence, commands }: JournalRow,
  max = Number.POSITIVE_INFINITY,
): Error | undefined {
  const size = Buffer.byteLength(commands) + HEADERS_SIZE_MAX
  if (size <= max) return undefined
  return new Error(
    `batch ${sequence} has ${size} bytes, and the servers' max_payload is ${max}: raise it and start again`,
  )
}
