import { existsSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { DiskRoom, RESERVE_FILE } from '../../src/store/disk-room.js'
import type { RoomState } from '../../src/store/room-state.js'
import { nextRoomState, ROOM_LIMITS } from '../../src/store/room-state.js'

const {
  reserveBytes: RESERVE_BYTES,
  lowBytes: LOW_BYTES,
  fullBytes: FULL_BYTES,
  keptBytes: KEPT_BYTES,
} = ROOM_LIMITS
const MEGABYTE = 1024 * 1024

t.test('leaving a state takes more free space than entering it', async t => {
  const rows: readonly (readonly [RoomState, number, RoomState])[] = [
    ['ok', LOW_BYTES, 'ok'],
    ['ok', LOW_BYTES - 1, 'low'],
    ['low', LOW_BYTES, 'low'],
    ['low', LOW_BYTES + 64 * MEGABYTE - 1, 'low'],
    ['low', LOW_BYTES + 64 * MEGABYTE, 'ok'],
    ['low', FULL_BYTES, 'low'],
    ['low', FULL_BYTES - 1, 'full'],
    ['ok', 0, 'full'],
    ['full', FULL_BYTES + 64 * MEGABYTE - 1, 'full'],
    ['full', FULL_BYTES + 64 * MEGABYTE, 'low'],
    ['full', LOW_BYTES + 64 * MEGABYTE, 'ok'],
  ]
  for (const [state, room, next] of rows) t.equal(nextRoomState(state, room), next, `${state}, ${room} bytes`)
})

/** A disk of a size, on which a number of bytes is used beside the reserve. */
function openDisk(t: Test, bytes: number) {
  const directory = t.testdir()
  const reserve = join(directory, RESERVE_FILE)
  const disk = { used: 0 }
  const size = () => statSync(reserve, { throwIfNoEntry: false })?.size ?? 0
  const free = () => Math.max(0, bytes - disk.used - size())
  return { directory, reserve, disk, open: () => new DiskRoom(directory, free), size }
}

t.test('a disk that cannot be measured keeps its last figure', async t => {
  let isGone = false
  const room = new DiskRoom(t.testdir(), () => {
    if (isGone) throw Object.assign(new Error('ENOENT: statfs'), { code: 'ENOENT' })
    return 1024 * MEGABYTE
  })
  await room.look()
  const before = [room.state, room.freeBytes]
  isGone = true
  t.doesNotThrow(() => room.look())
  t.same([room.state, room.freeBytes], before)
})

function stateOf(room: DiskRoom): RoomState {
  void room.look()
  return room.state
}

t.test(
  'the reserve is written, given up when the disk fills, and restored; it counts as free space',
  async t => {
    const { disk, open, size, reserve } = openDisk(t, 1024 * MEGABYTE)
    const room = open()
    t.equal(room.state, 'ok')
    t.notOk(existsSync(reserve), 'a process that ends at once does not write it')
    await room.look()
    t.same([size(), room.state], [RESERVE_BYTES, 'ok'])
    t.equal(statSync(reserve).mode & 0o777, 0o600)
    disk.used = 800 * MEGABYTE
    t.equal(stateOf(room), 'low')
    t.equal(size(), RESERVE_BYTES, 'it is kept while there is other free space')
    disk.used = (1024 - 128 - 63) * MEGABYTE
    t.equal(stateOf(room), 'low')
    t.same([size(), room.freeBytes], [KEPT_BYTES, 127 * MEGABYTE], 'cancels get part of it')
    disk.used = 1024 * MEGABYTE - FULL_BYTES
    t.equal(stateOf(room), 'low')
    disk.used += 1
    t.equal(stateOf(room), 'full')
    t.equal(size(), KEPT_BYTES, 'the rest is for starts and stops')
    disk.used = 750 * MEGABYTE
    t.equal(stateOf(room), 'low')
    t.equal(size(), KEPT_BYTES, 'it is not restored before orders are accepted again')
    disk.used = 0
    t.equal(stateOf(room), 'ok')
    await room.look()
    t.equal(size(), RESERVE_BYTES)
    await room.stop()
  },
)

t.test('a start and a stop can use the reserve', async t => {
  const { disk, open, size } = openDisk(t, 1024 * MEGABYTE)
  const before = open()
  await before.look()
  disk.used = 1024 * MEGABYTE - RESERVE_BYTES
  await before.stop()
  t.equal(size(), 0, 'the stop used it')
  disk.used = 0
  const again = open()
  await again.look()
  disk.used = 1024 * MEGABYTE - RESERVE_BYTES
  const start = open()
  t.same([start.freeBytes, start.reserveBytes, start.state], [0, RESERVE_BYTES, 'low'])
  start.makeRoom()
  t.same([size(), start.freeBytes, start.state], [0, RESERVE_BYTES, 'low'], 'cancels have room')
  await start.look()
  t.equal(size(), KEPT_BYTES, 'the next start has, too')
})

t.test('a stop restores the reserve it used, as far as space allows', async t => {
  const { disk, open, size } = openDisk(t, 1024 * MEGABYTE)
  const room = open()
  await room.look()
  disk.used = 1024 * MEGABYTE - RESERVE_BYTES
  await room.stop()
  t.equal(size(), 0)
  await room.restore()
  t.equal(size(), RESERVE_BYTES)
  const rich = open()
  disk.used = 0
  await rich.stop()
  await rich.restore()
  t.equal(size(), RESERVE_BYTES)
})

t.test('a partly written reserve counts at its size, and is completed when space allows', async t => {
  const { disk, open, size, reserve } = openDisk(t, 1024 * MEGABYTE)
  disk.used = 1023 * MEGABYTE
  writeFileSync(reserve, Buffer.alloc(MEGABYTE))
  const room = open()
  t.equal(room.reserveBytes, MEGABYTE)
  room.makeRoom()
  t.same([room.reserveBytes, size()], [0, 0])
  writeFileSync(reserve, Buffer.alloc(MEGABYTE))
  disk.used = 0
  await open().look()
  t.equal(size(), RESERVE_BYTES)
})

t.test('no reserve is written by a process that stops before its first look', async t => {
  const { directory, open } = openDisk(t, 1024 * MEGABYTE)
  const room = open()
  await room.stop()
  await room.restore()
  t.equal(room.look(), undefined)
  t.notOk(existsSync(join(directory, RESERVE_FILE)))
})

t.test('a reserve that was deleted or cut short from outside no longer counts, and ends nothing', async t => {
  const { disk, open, size, reserve } = openDisk(t, 1024 * MEGABYTE)
  const room = open()
  await room.look()
  disk.used = 1024 * MEGABYTE - RESERVE_BYTES
  t.equal(stateOf(room), 'low')
  rmSync(reserve)
  // Something else takes the room that was freed.
  disk.used = 1024 * MEGABYTE - 10 * MEGABYTE
  t.equal(stateOf(room), 'full')
  t.same([room.reserveBytes, room.freeBytes, size()], [0, 10 * MEGABYTE, 0])
  room.makeRoom()
  disk.used = 0
  await room.look()
  truncateSync(reserve, MEGABYTE)
  disk.used = 1024 * MEGABYTE - 2 * MEGABYTE
  t.equal(stateOf(room), 'full')
  t.equal(room.reserveBytes, MEGABYTE)
  t.equal(size(), MEGABYTE, 'it is not made longer to be given up')
})
