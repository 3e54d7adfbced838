import type { Test } from 'tap'
import t from 'tap'
import { verifyFile } from '../../src/verify/verify-file.js'
import { Dice } from '../fixtures/dice.js'
import { FollowedExchange, storedRows } from '../fixtures/followed-exchange.js'
import { liveFullDay } from '../fixtures/full-day.js'
import { wrong } from '../fixtures/wrong.js'

const USERS = ['asha', 'ben', 'cora', 'dev', 'eve', 'timed', 'low', 'ahead', 'high', 'crowd']

async function followDay(t: Test, dice: Dice, shardCount: number) {
  const directory = t.testdir()
  const followed = await FollowedExchange.open(t, dice, USERS, { directory, shardCount })
  const { leader } = followed
  t.same(await liveFullDay(leader, dice, 300), [])
  await leader.exchange.drain()
  await followed.compare()
  t.ok(followed.compared > 10)
  await leader.close()
  await followed.standby.close()
  t.same(storedRows(followed.standby.file), storedRows(leader.file), 'every row of every table is the same')
  t.same(wrong(verifyFile(followed.standby.file)), [])
  return followed
}

t.test('a standby is as the exchange that it follows, after each batch of a whole day', async t => {
  await followDay(t, new Dice(1), 1)
})
