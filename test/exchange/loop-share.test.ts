import t from 'tap'
import { LoopShare } from '../../src/exchange/operations/loop-share.js'
import { OrdersWaiting } from '../../src/exchange/operations/orders-waiting.js'

/** A share of a loop in which time passes, and callbacks become due, when the test says so. */
function stage(average = 0) {
  let now = 0
  let due: (() => void)[] = []
  let later: (() => void)[] = []
  const orders = { average, watch: () => now }
  const share = new LoopShare(orders, {
    setImmediate: work => due.push(work),
    setTimeout: work => later.push(work),
  })
  const pass = (ms: number) => {
    now += ms
  }
  return {
    orders,
    share,
    pass,
    /** Runs what is scheduled; returns the number of callbacks. */
    runDue: () => {
      const callbacks = [...due.splice(0), ...later.splice(0)]
      for (const callback of callbacks) callback()
      return callbacks.length
    },
    /** Lets this many turns of a millisecond pass, in which the work takes its share in slices. */
    work: (turns: number, pieceMs = 0.02) => {
      let workedMs = 0
      let longestMs = 0
      let turnAt = now
      const takeSlice = () => {
        const startedAt = now
        while (share.hasTime && now - turnAt < 1) share.run(() => pass(pieceMs))
        workedMs += now - startedAt
        longestMs = Math.max(longestMs, now - startedAt)
        share.schedule(takeSlice)
      }
      share.schedule(takeSlice)
      for (let turn = 0; turn < turns; turn++) {
        turnAt = now
        for (let next = due.shift(); next !== undefined; next = now - turnAt < 1 ? due.shift() : undefined)
          next()
        pass(Math.max(0, 1 - (now - turnAt)))
        due.push(...later.splice(0))
      }
      due = []
      later = []
      return { workedMs, longestMs }
    },
  }
}

t.test('other work takes all the time while no orders wait', async t => {
  const { share, work } = stage()
  t.ok(share.isWhole)
  t.ok(work(100).workedMs > 99)
})

t.test('the share shrinks while more orders wait, and never to nothing', async t => {
  const shares = [0.1, 0.5, 1, 4, 10, 1000].map(average => stage(average).work(1000).workedMs / 1000)
  for (const [index, share] of shares.entries()) {
    t.ok(share <= (shares[index - 1] ?? 1) + 0.01, `${share} after ${shares[index - 1]}`)
  }
  t.ok((shares[2] ?? 1) < 0.25, 'one order leaves a fifth')
  t.ok((shares.at(-1) ?? 0) > 0.09, 'a tenth remains')
  t.ok((shares.at(-1) ?? 1) < 0.12)
})

t.test('unused time is not saved up, so no piece of work delays the orders for long', async t => {
  const { pass, work } = stage(10)
  work(10)
  pass(60_000)
  t.ok(work(1).workedMs <= 1.1)
})

t.test('a long piece of work is paid for before the next, but does not stop the work for good', async t => {
  const { share, pass, runDue } = stage(10)
  const hasTimeInNextTurn = () => {
    share.schedule(() => {})
    runDue()
    return share.hasTime
  }
  share.run(() => pass(11))
  t.notOk(hasTimeInNextTurn())
  pass(80)
  t.notOk(hasTimeInNextTurn())
  pass(20)
  t.ok(hasTimeInNextTurn())
  share.run(() => pass(60_000))
  pass(600)
  t.ok(hasTimeInNextTurn())
})

t.test('debts are forgotten when no orders wait any more', async t => {
  const { share, orders, pass } = stage(10)
  share.run(() => pass(20))
  t.notOk(share.hasTime)
  orders.average = 0
  t.ok(share.hasTime)
})

t.test('work stops after a tenth of a millisecond for other events, however much time is left', async t => {
  for (const average of [0.1, 1, 10]) {
    const { pass, work } = stage(average)
    pass(60_000)
    const { longestMs, workedMs } = work(1000)
    t.ok(longestMs < 0.13, `${longestMs} ms in a row`)
    t.ok(workedMs > 50, 'it goes on in the next turn')
  }
})

t.test('scheduled work is called back, with and without time, but never at once', async t => {
  const { share, pass, runDue } = stage(10)
  let calls = 0
  const scheduled = () => share.schedule(() => calls++)
  share.run(() => pass(5))
  t.notOk(share.hasTime)
  scheduled()
  pass(100)
  scheduled()
  t.equal(calls, 0)
  t.equal(runDue(), 2)
  t.equal(calls, 2)
  t.ok(share.hasTime)
})

t.test('the average number of waiting orders follows what waits', async t => {
  let now = 0
  const waiting = new OrdersWaiting(() => now)
  const ends: (() => void)[] = []
  const order = () => waiting.until(new Promise<void>(resolve => ends.push(resolve)))
  t.equal(waiting.average, 0)
  const answers = Array.from({ length: 40 }, order)
  t.equal(waiting.average, 0, 'no time has passed')
  now += 20
  t.ok(waiting.average > 20 && waiting.average < 30)
  now += 200
  t.ok(waiting.average > 39 && waiting.average <= 40)
  for (const end of ends) end()
  await Promise.all(answers)
  now += 20
  t.ok(waiting.average < 20)
  now += 1000
  t.ok(waiting.average < 0.01, 'nothing waits')
})

t.test('a request that fails waits no longer, and its answer is passed on as it is', async t => {
  let now = 0
  const waiting = new OrdersWaiting(() => now)
  await t.rejects(waiting.until(Promise.reject(new Error('refused'))), /refused/)
  t.equal(await waiting.until(Promise.resolve('placed')), 'placed')
  now += 1000
  t.ok(waiting.average < 0.01)
})

t.test('the expected wait is the number of orders ahead at the pace of the last moments', async t => {
  let now = 0
  const orders = new OrdersWaiting(() => now)
  const waiting: (() => void)[] = []
  const place = (count: number) => {
    for (let order = 0; order < count; order++) {
      void orders.until(new Promise<void>(resolve => waiting.push(resolve)))
    }
  }
  /** Commits this many orders every 10 ms. */
  const commit = async (count: number, rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      now += 10
      for (const done of waiting.splice(0, count)) done()
      await Promise.resolve()
    }
  }
  place(1999)
  t.equal(orders.waitMs(0), 0, 'few never wait too long')
  t.ok(orders.waitMs(2001) >= 1000)
  place(8001)
  await commit(20, 300)
  t.ok(Math.abs(orders.waitMs(0) - 2000) < 100, `${orders.waitMs(0)} ms for 4,000 orders, 2 per ms`)
  t.ok(Math.abs(orders.waitMs(2000) - 3000) < 100, 'those that have not begun are ahead as well')
  await commit(5, 300)
  t.ok(
    Math.abs(orders.waitMs(0) - 5000) < 200,
    `${orders.waitMs(0)} ms for 2,500 orders, half an order per ms`,
  )
  await commit(100, 40)
  now += 3_600_000
  place(1)
  await commit(1, 1)
  t.ok(orders.waitMs(3000) < 2000, `${orders.waitMs(3000)} ms: a pause is not slowness`)
})
