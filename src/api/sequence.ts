import type { Needs, RouteFacts } from './route.js'
import { wholeNumber } from './whole-number.js'

/** The header of a write that says up to which batch of the journal its answer is. */
export const SEQUENCE_HEADER = 'X-Sequence'
/** The header of a read that waits for such a batch. */
export const MIN_SEQUENCE_HEADER = 'X-Min-Sequence'

/** How long a read waits for a batch. */
export const SEQUENCE_WAIT_MS = 2000

export const minSequenceField = wholeNumber(0, Number.MAX_SAFE_INTEGER).meta({
  description: 'The `X-Sequence` of a write: the read waits for that batch, for 2 s at most',
})

/** Returns the refusal of a value. */
export const MIN_SEQUENCE_FAULT = `${MIN_SEQUENCE_HEADER}: Expected 0 to ${Number.MAX_SAFE_INTEGER}`

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
