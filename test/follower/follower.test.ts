import { join } from 'node:path'
import t from 'tap'
import { MAKERS_MAX } from '../../src/core/order.js'
import { Follower } from '../../src/follower/follower.js'
import { openDatabase } from '../../src/store/database.js'
import { lastBatch } from '../../src/store/audit/last-sequence.js'
import { Population } from '../bench/populate.js'

const SWEEPS = 3

t.test('batches of many fills are written in transactions of their own', async t => {
  const file = join(t.testdir(), 'raay.db')
  const population = new Population(file)
  await population.begin()
  await population.deep(SWEEPS * MAKERS_MAX)
  const database = openDatabase(file)
  t.teardown(() => database.close())
  const follower = new Follower(database)
  const end = () => lastBatch(database).sequence
  while (follower.reached < end()) follower.follow(end())
  for (let sweep = 0; sweep < SWEEPS; sweep++) await population.sweep('other', MAKERS_MAX / 10, MAKERS_MAX)
  let transactions = 0
  for (; follower.reached < end(); transactions++) follower.follow(end())
  t.equal(transactions, SWEEPS, 'few commands are much work if they fill much')
  await population.close()
})
