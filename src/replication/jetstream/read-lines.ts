import { DeliverPolicy } from '@nats-io/jetstream'
import type { Sequence } from '../../core/units.js'
import type { JournalRow } from '../../store/journal.js'
import { TrimmedError } from '../replication-error.js'
import { rowOf } from './line-message.js'
import type { LineStream } from './open-stream.js'

/**
 * Yields the lines of a stream from one on as they arrive, until its consumer is lost. Throws TrimmedError if
 * the stream has later ones, and no longer that one: a consumer goes on with the next that there is.
 *
 * @param offset the journal's sequence less the stream's; undefined if it is not known yet
 */
export async function* readLines(
  { name, client }: Pick<LineStream, 'name' | 'client'>,
  from: Sequence,
  offset: number | undefined,
): AsyncGenerator<JournalRow, void, undefined> {
  // A log that began in the middle of a journal has its offset in its first message.
  const place = offset === undefined ? 1 : Math.max(1, from - offset)
  const consumer = await client.consumers.get(name, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: place,
  })
  // With the default heartbeats a follower noticed the death of a server after half a minute.
  const messages = await consumer.consume({ max_messages: 500, idle_heartbeat: 500, expires: 1000 })
  let next: number = from
  try {
    for await (const message of messages) {
      const row = rowOf(message.headers, message.data)
      if (row.sequence < next) continue
      if (row.sequence > next) throw TrimmedError.ofStream(next)
      next++
      yield row
    }
  } finally {
    await messages.close()
  }
}
