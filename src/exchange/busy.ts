import type { ReadBusy } from '../shard/read-lane.js'

/** The exchange cannot take more just now: 503. Nothing was queued. */
export type Busy = 'queue_full' | 'accounts_full' | 'codes_used_up' | 'events_full' | ReadBusy
