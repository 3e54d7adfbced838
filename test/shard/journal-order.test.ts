import t from 'tap'
import type { Sequence } from '../../src/core/units.js'
import { JournalOrder } from '../../src/shard/journal-order.js'

t.test('batches are settled in the order of the journal, whichever answer comes first', async t => {
  const order = new JournalOrder(7 as Sequence)
  const settled: number[] = []
  const settle = (sequence: number) => order.settle(sequence as Sequence, () => settled.push(sequence))
  const last = settle(11)
  const third = settle(10)
  t.same(settled, [])
  await settle(8)
  t.same(settled, [8], 'none passes the one that is missing')
  await settle(9)
  await Promise.all([third, last])
  t.same(settled, [8, 9, 10, 11])
})

t.test('nothing is settled behind a batch that could not be', async t => {
  const order = new JournalOrder(0 as Sequence)
  const settled: number[] = []
  void order.settle(2 as Sequence, () => settled.push(2))
  const broken = order.settle(1 as Sequence, () => {
    throw new Error('the books do not balance')
  })
  await t.rejects(broken, { message: 'the books do not balance' })
  t.same(settled, [])
})

t.test('no batch is settled twice', async t => {
  const order = new JournalOrder(3 as Sequence)
  await t.rejects(
    order.settle(3 as Sequence, () => t.fail('it was settled before')),
    { name: 'BrokenInvariant' },
  )
})
