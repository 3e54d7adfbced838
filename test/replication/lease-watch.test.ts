import t from 'tap'
import { LeaseWatch } from '../../src/replication/lease-watch.js'

/** Two views of one memory, as two threads have them, and their clocks; only one knows the time of the day. */
function watches() {
  const clock = { ms: 5_000_000, aheadMs: 1_790_000_000_000 }
  const steady = () => clock.ms
  const thread = new LeaseWatch({ steady })
  const main = new LeaseWatch({ memory: thread.memory, steady, wall: () => clock.ms + clock.aheadMs })
  return { clock, thread, main }
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

t.test('a machine that slept notices it by the time of the day, which may also be set', t => {
  const { clock, thread, main } = watches()
  const renew = () => {
    clock.ms += 500
    thread.noteRenewed(clock.ms)
  }
  thread.noteRival(clock.ms)
  renew()
  t.notOk(main.isCutOff)
  clock.aheadMs += 1501
  t.ok(main.isCutOff, 'its steady clock stood still')
  t.equal(main.ageMs, 1501)
  thread.noteRenewed(clock.ms)
  t.ok(main.isCutOff, 'the answer to a request from before it may have come after it')
  renew()
  t.notOk(main.isCutOff)
  t.equal(main.ageMs, 0)

  renew()
  clock.aheadMs += 10_000
  t.ok(main.isCutOff, 'nobody had looked since the renewal')
  renew()
  for (let naps = 0; naps < 5; naps++) {
    clock.aheadMs += 400
    t.equal(main.isCutOff, naps === 4, 'short ones add up')
  }
  renew()
  t.notOk(main.isCutOff)
  clock.aheadMs -= 3_600_000
  clock.ms += 1500
  t.notOk(main.isCutOff)
  clock.ms++
  t.ok(main.isCutOff, 'set back, the time of the day says nothing')
  renew()
  t.notOk(main.isCutOff)
  clock.aheadMs += 1501
  t.ok(main.isCutOff, 'the next sleep is noticed all the same')
  t.end()
})
