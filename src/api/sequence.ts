import type { Needs, RouteFacts } from './route.js'
import { wholeNumber } from './whole-number.js'

/** The header of a write that says up to which batch of the journal its answer is. */
export const SEQUENCE_HEADER = 'X-Sequence'
/** The header of a read that waits for such a batch. */
export const MIN_SEQUENCE_HEADER = 'X-Min-Sequence'

/** The header of such a write that names the epoch of the batch, and of a read that waits for it. */
export const EPOCH_HEADER = 'X-Epoch'

/** How long a read waits for a batch. */
export const SEQUENCE_WAIT_MS = 2000

export const minSequenceField = wholeNumber(0, Number.MAX_SAFE_INTEGER).optional().meta({
  description: 'The `X-Sequence` of a write: the read waits for that batch, for 2 s at most',
})

export const epochField = wholeNumber(0, Number.MAX_SAFE_INTEGER).optional().meta({
  description: 'The `X-Epoch` of the same answer: a batch that a takeover has lost is refused, not awaited',
})

/** The refusals of other values. */
const [MIN_SEQUENCE_FAULT, EPOCH_FAULT] = [MIN_SEQUENCE_HEADER, EPOCH_HEADER].map(
  header => `${header}: Expected 0 to ${Number.MAX_SAFE_INTEGER}`,
) as [string, string]
export const WANTED_FAULTS = { sequence: MIN_SEQUENCE_FAULT, epoch: EPOCH_FAULT }

/** The routes about what is in the journal; accounts and files are elsewhere. */
const OF_JOURNAL: ReadonlySet<Needs> = new Set<Needs>([
  'markets',
  'read',
  'trade',
  'create',
  'operator:read',
  'operator:money',
  'operator:operate',
])

/** Returns whether a route may write to the journal, so that its answers say `X-Sequence`. */
export function showsSequence({ method, needs }: RouteFacts): boolean {
  return method !== 'GET' && OF_JOURNAL.has(needs)
}

/** Returns whether a route reads what the journal says, so that its requests may say `X-Min-Sequence`. */
export function takesMinSequence({ method, needs }: RouteFacts): boolean {
  return method === 'GET' && OF_JOURNAL.has(needs)
}
