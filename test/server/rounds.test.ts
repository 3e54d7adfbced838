import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import t from 'tap'
import type { RoundsOptions } from '../../src/server/rounds.js'
import { Rounds } from '../../src/server/rounds.js'
import { roomyDirectory } from '../fixtures/server/server-directory.js'

t.test('of several failures the first is the reason for which the process ends', async t => {
  const path = roomyDirectory(t)
  const [file, lock] = [join(path, 'raay.db'), join(path, 'raay.lock')]
  const logged = [file, join(path, 'journal.db')].flatMap(name => [name, `${name}-wal`, `${name}-shm`])
  for (const name of [...logged, lock]) writeFileSync(name, '')
  const idle = { begin: () => undefined, stop: () => undefined, look: () => undefined }
  const clock = { read: () => ({ aheadMs: 0 }) }
  const reasons: string[] = []
  const rounds = new Rounds({
    files: {
      ...{ directory: { path, file, lock }, exchange: { leads: false, clock }, companions: [] },
      ...{ standby: undefined, room: { state: 'ok', ...idle }, refresh: idle.look },
    },
    schedules: { verifying: idle, backingUp: idle, scheduling: idle, webhooks: { deliverer: idle } },
    ...{ log: pino({ level: 'silent' }), silence: idle.stop },
    fail: (error: Error) => reasons.push(error.message),
  } as unknown as RoundsOptions)
  rounds.end(new Error('the replica was taken over'))
  rounds.end(new Error('its thread has ended'))
  while (reasons.length === 0) await new Promise(resolve => setImmediate(resolve))
  await rounds.stop()
  t.same(reasons, ['the replica was taken over'])
})
