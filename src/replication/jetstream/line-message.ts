import type { MsgHdrs } from '@nats-io/transport-node'
import { headers } from '@nats-io/transport-node'
import type { Sequence, TimeMs } from '../../core/units.js'
import type { JournalRow } from '../../store/journal.js'
import { LogLostError } from '../replication-error.js'

const [SEQUENCE, SHARD, AT, HASH] = ['Raay-Sequence', 'Raay-Shard', 'Raay-At', 'Raay-Hash']

/** Returns the headers of a line's message; its commands are the payload. */
export function headersOf({ sequence, shard, at, hash }: JournalRow): MsgHdrs {
  const all = headers()
  all.set(SEQUENCE, String(sequence))
  all.set(SHARD, String(shard))
  all.set(AT, String(at))
  all.set(HASH, hash.toString('hex'))
  return all
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
