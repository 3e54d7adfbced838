const MEGABYTE = 1024 * 1024

/** `low`: nothing that makes the file grow is taken. `full`: cancels are refused as well. */
export type RoomState = 'ok' | 'low' | 'full'

/** How much room the disk has for the exchange. */
export interface Room {
  readonly state: RoomState
  readonly freeBytes: number
  /** What the reserve file holds; it counts as room beside what is free. */
  readonly reserveBytes: number
}

/**
 * An order makes the file grow by 0.8 kB and a cancel by 0.3 kB; a batch with one of them alone writes up to
 * 30 kB into the log, which starts over at 40 MB. So between `low` and `full` there is room for 300,000
 * cancels.
 */
export const ROOM_LIMITS = {
  /** Kept in a file. A start and a stop move the log into the data file: that grows by some 40 MB at most. */
  reserveBytes: 128 * MEGABYTE,
  /** What of it is kept for a start and a stop alone; cancels may use the rest. */
  keptBytes: 64 * MEGABYTE,
  /** The reserve is given up where less than this is free. */
  releaseBytes: 64 * MEGABYTE,
  /** Of the room, the reserve included. */
  lowBytes: 256 * MEGABYTE,
  fullBytes: 80 * MEGABYTE,
  /** How much more room it takes to leave a state than to enter it: it must not change to and fro. */
  backBytes: 64 * MEGABYTE,
} as const

/** A disk that never fills, for exchanges that do not watch theirs. */
export const ENDLESS_ROOM: Room = { state: 'ok', freeBytes: Number.MAX_SAFE_INTEGER, reserveBytes: 0 }

/** Returns the state that follows another when there is this much room, the reserve included. */
export function nextRoomState(state: RoomState, roomBytes: number): RoomState {
  const { lowBytes, fullBytes, backBytes } = ROOM_LIMITS
  if (roomBytes < fullBytes + (state === 'full' ? backBytes : 0)) return 'full'
  return roomBytes < lowBytes + (state === 'ok' ? 0 : backBytes) ? 'low' : 'ok'
}
