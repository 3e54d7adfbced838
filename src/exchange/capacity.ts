import type { ReadBusy } from './reads/read-lane.js'

/** The exchange does not take the request: no room now, or not for this user or name. Nothing was queued. */
export type CapacityRefusal =
  | 'queue_full'
  | 'accounts_full'
  | 'trading_suspended'
  | 'open_orders_full'
  | 'codes_used_up'
  | 'numbers_used_up'
  | 'events_full'
  | 'user_id_taken'
  | 'season_turn'
  | WriteBusy
  | ReadBusy

/** Nothing may be written: for the disk, or because another exchange leads. */
export type WriteBusy = DiskBusy | 'not_leader'

/** The disk has too little room: for anything that makes the file grow, or for any write. */
export type DiskBusy = 'disk_low' | 'disk_full'
