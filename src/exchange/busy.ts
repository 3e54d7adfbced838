import type { ReadBusy } from '../shard/read-lane.js'

/** The exchange cannot take more just now, or not under this name. Nothing was queued. */
export type Busy =
  | 'queue_full'
  | 'accounts_full'
  | 'codes_used_up'
  | 'events_full'
  | 'user_id_taken'
  | ReadBusy
