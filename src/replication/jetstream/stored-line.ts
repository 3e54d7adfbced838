import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream'
import type { JournalRow } from '../../store/journal.js'
import type { Writer } from './line-message.js'
import { rowOf, writerOf } from './line-message.js'
import type { LineStream } from './open-stream.js'

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
