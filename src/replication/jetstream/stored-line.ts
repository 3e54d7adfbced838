import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream'
import type { JournalRow } from '../../store/journal.js'
import { LogLostError } from '../replication-error.js'
import type { Writer } from './line-message.js'
import { rowOf, writerOf } from './line-message.js'
import type { LineStream } from './open-stream.js'

/** The ends of a stream, by its own sequences: `last` also counts what it has no more. */
interface StreamEnds {
  readonly first: number
  readonly last: number
  /** The last line; undefined in an empty stream. */
  readonly line: StoredLine | undefined
}

/** A line in the log. `place` is the stream's own sequence. */
interface StoredLine {
  readonly row: JournalRow
  readonly place: number
  readonly writer: Writer | undefined
}

/** Reads the line at a place of a stream; undefined if there is none. */
export async function lineAt(
  { manager, name }: Pick<LineStream, 'manager' | 'name'>,
  place: number,
): Promise<StoredLine | undefined> {
  try {
    const message = await manager.streams.getMessage(name, { seq: place })
    if (message === null) return undefined
    const { header, data, seq } = message
    return { row: rowOf(header, data), place: seq, writer: writerOf(header) }
  } catch (error) {
    const isAbsent = error instanceof JetStreamApiError && error.code === JetStreamApiCodes.NoMessageFound
    if (isAbsent) return undefined
    throw error
  }
}

/** Reads where a stream begins and ends. */
export async function endsOf(stream: Pick<LineStream, 'manager' | 'name'>): Promise<StreamEnds> {
  const { manager, name } = stream
  const { first_seq: first, last_seq: last, messages } = (await manager.streams.info(name)).state
  if (messages === 0) return { first, last, line: undefined }
  const line = await lineAt(stream, last)
  if (line === undefined) throw new LogLostError(`message ${last} of ${name} cannot be read`)
  return { first, last, line }
}
