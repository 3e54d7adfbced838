import t from 'tap'
import { LeaseWatch } from '../../src/replication/lease-watch.js'

/** Two views of one memory, as two threads have them, and their clock. */
function watches() {
  const clock = { ms: 5_000_000 }
  const read = () => clock.ms
  const thread = new LeaseWatch(undefined, read)
  return { clock, thread, main: new LeaseWatch(thread.memory, read) }
}

t.test('a lease that is not renewed in time may be that of another exchange', t => {
  const { clock, thread, main } = watches()
  t.notOk(main.isCutOff, 'before the first lease nothing is known')
  t.equal(main.ageMs, undefined)
  thread.noteRenewed(clock.ms)
  thread.noteRival(clock.ms)
  clock.ms += 1500
  t.notOk(main.isCutOff)
  clock.ms += 1
  t.ok(main.isCutOff)
  t.equal(main.ageMs, 1501)
  thread.noteRenewed(clock.ms - 700)
  t.notOk(main.isCutOff, 'renewed')
  clock.ms += 801
  t.ok(main.isCutOff, 'the age is that of the request, not of its answer')
  t.end()
})

t.test('without another exchange that waits, a lease that lapses is nobody else’s', t => {
  const { clock, thread, main } = watches()
  thread.noteRenewed(clock.ms)
  clock.ms += 60_000
  t.ok(main.isDoubtful)
  t.notOk(main.isCutOff)

  thread.noteRival(clock.ms)
  thread.noteRenewed(clock.ms + 600_000)
  clock.ms += 660_000
  t.ok(main.isCutOff, 'one that was there ten minutes before may be there again')
  thread.noteRenewed(clock.ms)
  clock.ms += 60_000
  t.notOk(main.isCutOff, 'one that has been gone for longer is given up')
  t.end()
})
