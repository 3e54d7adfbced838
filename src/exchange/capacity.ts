import type { ReadBusy } from './reads/read-lane.js'

/** The exchange has no room for the request now, or not under this name. Nothing was queued. */
export type CapacityRefusal =
  | 'queue_full'
  | 'accounts_full'
  | 'open_orders_full'
  | 'codes_used_up'
  | 'events_full'
  | 'user_id_taken'
  | DiskBusy
  | ReadBusy

/** The disk has too little room: for anything that makes the file grow, or for any write. */
export type DiskBusy = 'disk_low' | 'disk_full'
