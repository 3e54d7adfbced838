import type { Sequence } from '../../core/units.js'
import type { LogEnd } from '../journal-log.js'
import type { JournalReader } from '../journal-reader.js'
import type { ReplicaExtent, Trimmed } from '../replica-messages.js'
import { verifiedEnd } from '../verified-end.js'
import type { JetLog } from './jet-log.js'
import type { LineStream } from './open-stream.js'
import type { StandbyMarks } from './standby-marks.js'

interface TrimParts {
  readonly stream: LineStream
  readonly log: Pick<JetLog, 'end' | 'offset' | 'line'>
  readonly marks: Pick<StandbyMarks, 'read'>
  readonly journal: Pick<JournalReader, 'hashOf' | 'lastBefore'>
  /** The ends of the verified backups of this exchange. */
  readonly backups: readonly LogEnd[]
  /** Lines from before this time may be deleted. */
  readonly before: number
  /** Names this exchange among standbys: it may have been one. */
  readonly standbyId: string
  /** Returns false unless this exchange has the lease for sure. */
  readonly holdsLease: () => boolean
}

/** Why a log is not trimmed, for an operator. */
class UntrimmedError extends Error {
  override readonly name = 'UntrimmedError'
}

/**
 * Deletes the lines of a stream that nobody needs: those that are older than the time to keep, are in a
 * verified backup, and have been taken by each standby that is alive. The last line of the backup and of each
 * standby stays, by which a start sees that the journal is this one; and so does the last line of all.
 *
 * A purge has no condition, and one of a leader that slept may arrive when another one leads. It deletes no
 * more than was not needed when it was decided: a standby that has begun since may have to begin again.
 */
export async function trimStream(parts: TrimParts): Promise<void> {
  const { stream, log, journal, holdsLease } = parts
  const { from } = await extentOf(stream, log)
  const kept = from === undefined ? undefined : await firstKept(parts, from)
  if (from === undefined || kept === undefined || kept <= from) return
  // A stream that was made again has other places, and a purge behind its end would move that.
  const line = await log.line(kept)
  if (line === undefined || journal.hashOf(kept)?.equals(line.hash) !== true) {
    throw new UntrimmedError(`the log does not have batch ${kept} of this exchange`)
  }
  if (!holdsLease()) throw new UntrimmedError('the lease of the log is in doubt')
  await stream.manager.streams.purge(stream.name, { seq: kept - (log.offset ?? 0) })
}

interface TrimmingParts extends Omit<TrimParts, 'marks' | 'journal' | 'standbyId'> {
  readonly standbyId: () => string
  readonly openMarks: () => Promise<StandbyMarks>
  /** Opens the whole journal, of an exchange that runs. */
  readonly openReader: () => Pick<JournalReader, 'hashOf' | 'lastBefore' | 'close'>
}

/** Trims a log; returns what it has then, and why nothing could be deleted. Never rejects. */
export async function trimLog({
  openMarks,
  openReader,
  standbyId,
  ...parts
}: TrimmingParts): Promise<Trimmed> {
  let failure: string | undefined
  const failed = (error: Error) => {
    failure = error.message
    return undefined
  }
  const trimming = async () => {
    const marks = await openMarks()
    const journal = openReader()
    try {
      await trimStream({ ...parts, marks, journal, standbyId: standbyId() })
    } finally {
      journal.close()
    }
  }
  await trimming().catch(failed)
  return { kept: await extentOf(parts.stream, parts.log).catch(failed), failure }
}

/** Reads which lines a log has. */
export async function extentOf(
  { manager, name }: Pick<LineStream, 'manager' | 'name'>,
  { offset = 0 }: Pick<JetLog, 'offset'>,
): Promise<ReplicaExtent> {
  const { first_seq: first, messages, bytes } = (await manager.streams.info(name)).state
  return { from: messages === 0 ? undefined : ((first + offset) as Sequence), bytes }
}

/** Returns the first line that is needed; undefined in an empty log. */
async function firstKept(parts: TrimParts, from: Sequence): Promise<Sequence | undefined> {
  const { log, marks, journal, backups, before, standbyId } = parts
  if (log.end === undefined) return undefined
  const end = log.end.sequence
  const young = Math.min(journal.lastBefore(before) + 1, end) as Sequence
  if (young <= from) return young
  const verified = verifiedEnd(backups, journal, end)
  if (verified === undefined) {
    throw new UntrimmedError(
      'no verified backup has its batches: have backups made and verified in a place of their own ' +
        '(--backup-to)',
    )
  }
  let first = Math.min(young, verified)
  for (const { id, sequence } of await marks.read()) {
    // A standby whose next line was deleted cannot follow; one that has nothing yet needs the first line.
    const canFollow = sequence + 1 >= from
    if (id !== standbyId && canFollow) first = Math.min(first, Math.max(sequence, 1))
  }
  return first as Sequence
}
