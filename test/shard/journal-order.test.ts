import t from 'tap'
import type { Sequence } from '../../src/core/units.js'
import { JournalOrder } from '../../src/shard/journal-order.js'

t.test('batches are applied in journal order, whichever answer comes first', async t => {
  const order = new JournalOrder(7 as Sequence)
  const applied: number[] = []
  const apply = (sequence: number) => order.inOrder(sequence as Sequence, () => applied.push(sequence))
  const last = apply(11)
  const third = apply(10)
  t.same(applied, [])
  await apply(8)
  t.same(applied, [8], 'no batch overtakes the missing one')
  await apply(9)
  await Promise.all([third, last])
  t.same(applied, [8, 9, 10, 11])
})

t.test('nothing is applied after a batch that failed', async t => {
  const order = new JournalOrder(0 as Sequence)
  const applied: number[] = []
  void order.inOrder(2 as Sequence, () => applied.push(2))
  const broken = order.inOrder(1 as Sequence, () => {
    throw new Error('the books do not balance')
  })
  await t.rejects(broken, { message: 'the books do not balance' })
  t.same(applied, [])
})

t.test('no batch is applied twice', async t => {
  const order = new JournalOrder(3 as Sequence)
  await t.rejects(
    order.inOrder(3 as Sequence, () => t.fail('it was already applied')),
    { name: 'BrokenInvariant' },
  )
})
