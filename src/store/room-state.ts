const MEGABYTE = 1024 * 1024

/** `low`: refuses everything that makes the file grow, except cancels. `full`: refuses cancels as well. */
export type RoomState = 'ok' | 'low' | 'full'

/** The disk space left for the exchange. */
export interface Room {
  readonly state: RoomState
  readonly freeBytes: number
  /** The size of the reserve file; it counts as room in addition to the free space. */
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
  /** The part of the reserve kept for starts and stops; cancels may use the rest. */
  keptBytes: 64 * MEGABYTE,
  /** The reserve is released when less than this is free. */
  releaseBytes: 64 * MEGABYTE,
  /** Thresholds of the room, including the reserve. */
  lowBytes: 256 * MEGABYTE,
  fullBytes: 80 * MEGABYTE,
  /** Hysteresis: the extra room needed to leave a state, so that it does not flap. */
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
