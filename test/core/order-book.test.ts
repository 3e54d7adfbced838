import t from 'tap'
import { BrokenInvariant } from '../../src/core/assert.js'
import { BookMemory } from '../../src/core/book/book-memory.js'
import { NO_PRICE, NO_SLOT, OrderBook } from '../../src/core/book/order-book.js'
import { PriceSet } from '../../src/core/book/price-set.js'
import { SlotIndex } from '../../src/core/book/slot-index.js'
import type { AccountNumber, OrderNumber } from '../../src/core/units.js'
import { lots, NO_LOTS, QUANTITY_LOTS_MAX, ticks } from '../../src/core/units.js'
import { Dice } from '../fixtures/dice.js'
import { plays } from './book-table.js'

const OWNER = 4 as AccountNumber
const PAYOUT = ticks(1000)
const number = (value: number) => value as OrderNumber

t.test('levels', async t => {
  t.test(
    'add up the orders at a price and disappear with the last one',
    plays(`
      place  A1 yes 5 @ 40
      place  A2 yes 2 @ 40
      place  A3 yes 1 @ 39
      book   yes 7 @ 40, 1 @ 39
      cancel A1
      book   yes 2 @ 40, 1 @ 39
      cancel A2
      book   yes 1 @ 39
      cancel A3
      book   yes -
    `),
  )

  t.test(
    'keep their queue when the first, the middle or the last order leaves',
    plays(`
      place  A1 no 1 @ 60
      place  A2 no 2 @ 60
      place  A3 no 3 @ 60
      place  A4 no 4 @ 60
      cancel A2
      queue  60: A1 1, A3 3, A4 4
      cancel A4
      queue  60: A1 1, A3 3
      cancel A1
      queue  60: A3 3
      place  A5 no 5 @ 60
      queue  60: A3 3, A5 5
    `),
  )

  t.test(
    'change sides without leaving anything behind in the book',
    plays(`
      place  A1 yes 5 @ 50
      cancel A1
      place  A2 no  3 @ 50
      book   yes -
      book   no  3 @ 50
      place  B1 yes 4 @ 50      fills A2 3 @ 50
      book   yes 1 @ 50
      book   no  -
    `),
  )
})

t.test('orders', async t => {
  t.test(
    'are not found after they leave',
    plays(`
      place  A1 no  5 @ 50
      place  B1 yes 5 @ 50      fills A1 5 @ 50
      cancel A1                 gone
      cancel B1                 gone
      place  A2 no  5 @ 50
      cancel A2
      cancel A2                 gone
    `),
  )

  t.test('are not mistaken for earlier orders in the same slot', async t => {
    const book = new OrderBook(PAYOUT)
    book.rest(number(1), OWNER, 'yes', ticks(300), lots(5), lots(2))
    const slot = book.find(number(1))
    book.remove(slot)
    book.rest(number(2), OWNER, 'no', ticks(700), lots(6), NO_LOTS)
    t.equal(book.find(number(2)), slot, 'the slot is reused')
    t.equal(book.find(number(1)), NO_SLOT)
    t.same(book.read(slot), { number: 2, owner: OWNER, side: 'no', price: 700, lots: 6, covered: 0 })
  })

  t.test('lose the covered part they are asked to give up', async t => {
    const book = new OrderBook(PAYOUT)
    book.rest(number(1), OWNER, 'yes', ticks(300), lots(5), lots(2))
    const slot = book.find(number(1))
    book.reduce(slot, lots(1), lots(1))
    t.equal(book.coveredAt(slot), 1)
    book.reduce(slot, lots(3), lots(1))
    t.equal(book.coveredAt(slot), 0)
    t.equal(book.lotsAt(slot), 1)
    book.reduce(slot, lots(1), NO_LOTS)
    t.equal(book.size, 0)
    t.equal(book.find(number(1)), NO_SLOT)
  })

  t.test('are listed bids first, then by best price, then by age', async t => {
    const book = new OrderBook(PAYOUT)
    const prices = [300, 302, 300, 700, 699, 700]
    for (const [at, price] of prices.entries())
      book.rest(number(at + 1), OWNER, price < 500 ? 'yes' : 'no', ticks(price), lots(1), NO_LOTS)
    t.same(
      Array.from(book.orders(), order => order.number),
      [2, 1, 3, 5, 4, 6],
    )
  })

  t.test('survive each growth of the book, and leave their slots to later ones', async t => {
    const book = new OrderBook(PAYOUT)
    // Past 256 KB at about 6,000 orders, and then a step for each 23,000.
    const count = 60_000
    for (let n = 1; n <= count; n++) {
      book.rest(number(n), OWNER, 'yes', ticks(1 + (n % 900)), lots(n), NO_LOTS)
      if (n === 2 ** Math.floor(Math.log2(n)) || n % 20_000 === 0) book.assertInvariants()
    }
    t.equal(book.size, count)
    let highest = 0
    for (let n = 1; n <= count; n++) highest = Math.max(highest, book.find(number(n)))
    for (let n = 1; n <= count; n += 2) book.remove(book.find(number(n)))
    book.assertInvariants()
    t.equal(book.size, count / 2)
    t.equal(book.lotsAt(book.find(number(31_416))), 31_416)
    t.equal(book.find(number(31_415)), NO_SLOT)
    for (let n = count + 1; n <= count + count / 2; n++) {
      book.rest(number(n), OWNER, 'no', ticks(901 + (n % 90)), lots(n), NO_LOTS)
      if (book.find(number(n)) > highest) t.fail('a freed slot is taken before a new one', { n })
    }
    book.assertInvariants()
    t.equal(book.lotsAt(book.find(number(31_416))), 31_416, 'the others are untouched')
  })

  t.test('keep quantities above 2^31 and up to the largest order exactly', async t => {
    const book = new OrderBook(PAYOUT)
    const sizes = [2 ** 31 - 1, 2 ** 31, 2 ** 32 + 1, QUANTITY_LOTS_MAX - 1, QUANTITY_LOTS_MAX]
    for (const [at, size] of sizes.entries())
      book.rest(number(at + 1), OWNER, 'yes', ticks(300), lots(size), lots(size - 1))
    const sum = sizes.reduce((a, b) => a + b)
    t.same(book.depth('yes'), [[300, sum]])
    t.same(book.takeChanges().bids, [[300, sum]])
    for (const [at, size] of sizes.entries()) {
      const slot = book.find(number(at + 1))
      t.same([book.lotsAt(slot), book.coveredAt(slot)], [size, size - 1])
      book.reduce(slot, lots(size - 1), lots(size - 1))
      t.same([book.lotsAt(slot), book.coveredAt(slot)], [1, 0])
    }
    t.same(book.depth('yes'), [[300, sizes.length]], 'nothing is lost or rounded')
    book.assertInvariants()
  })
})

t.test('the depth', async t => {
  t.test('stops at the requested number of levels', async t => {
    const book = new OrderBook(PAYOUT)
    for (let n = 1; n <= 5; n++) book.rest(number(n), OWNER, 'no', ticks(600 + n), lots(n), NO_LOTS)
    t.same(book.depth('no', 2), [
      [601, 1],
      [602, 2],
    ])
    t.same(book.depth('no', 0), [])
    t.equal(book.depth('no').length, 5)
    t.same(book.depth('yes'), [])
    t.equal(book.best('yes'), NO_PRICE)
  })
})

t.test('changes of levels', async t => {
  t.test(
    'are reported once, with the current quantity',
    plays(`
      place   A1 yes 5 @ 40
      place   A2 yes 5 @ 40
      place   A3 no  5 @ 60
      changes yes 10 @ 40
      changes no  5 @ 60
      changes yes -
      changes no  -
      place   B1 no  7 @ 40     fills A1 5 @ 40, A2 2 @ 40
      changes yes 3 @ 40
      changes no  -
    `),
  )

  t.test(
    'report a removed level as zero, best price first',
    plays(`
      place   A1 yes 5 @ 40
      place   A2 yes 5 @ 42
      place   A3 no  5 @ 60
      place   A4 no  5 @ 58
      changes yes 5 @ 42, 5 @ 40
      changes no  5 @ 58, 5 @ 60
      place   B1 no  6 @ 40     fills A2 5 @ 42, A1 1 @ 40
      cancel  A4
      changes yes 0 @ 42, 4 @ 40
      changes no  0 @ 58
    `),
  )

  t.test(
    'report a price that changed sides on both sides',
    plays(`
      place   A1 yes 5 @ 50
      changes yes 5 @ 50
      changes no  -
      place   B1 no  8 @ 50     fills A1 5 @ 50
      changes yes 0 @ 50
      changes no  3 @ 50
    `),
  )

  t.test('never hold more than one entry per price', async t => {
    const book = new OrderBook(PAYOUT)
    for (let n = 1; n <= 5000; n++) {
      book.rest(number(n), OWNER, n % 3 === 0 ? 'yes' : 'no', ticks(998 + (n % 2)), lots(1), NO_LOTS)
      book.remove(book.find(number(n)))
    }
    const gone = (...prices: number[]) => prices.map(price => [price, 0])
    t.same(book.takeChanges(), { bids: gone(999, 998), asks: gone(998, 999) })
    t.same(book.takeChanges(), { bids: [], asks: [] })
  })
})

t.test('assertInvariants rejects a crossed book', async t => {
  const book = new OrderBook(PAYOUT)
  book.rest(number(1), OWNER, 'yes', ticks(600), lots(1), NO_LOTS)
  book.rest(number(2), OWNER, 'no', ticks(500), lots(1), NO_LOTS)
  t.throws(() => book.assertInvariants(), BrokenInvariant)
})

t.test('a price set matches a sorted list', async t => {
  const dice = Dice.fromEnvironment(t)
  for (const limit of [2, 32, 33, 1000, 1025, 10_000]) {
    const set = new PriceSet(limit)
    const list = new Set<number>()
    const differs: string[] = []
    for (let step = 0; step < 2000; step++) {
      const price = dice.oneOf([
        1,
        limit - 1,
        dice.between(1, limit - 1),
        Math.min(limit - 1, 32 * dice.between(1, 40)),
      ])
      if (dice.percent(50)) {
        set.add(price)
        list.add(price)
      } else {
        set.delete(price)
        list.delete(price)
      }
      const highest = Math.max(0, ...list)
      const lowest = list.size === 0 ? 0 : Math.min(...list)
      if (set.highest() !== highest || set.lowest() !== lowest || set.has(price) !== list.has(price))
        differs.push(`limit ${limit}, step ${step}`)
    }
    t.same(differs, [])
    const sorted = [...list].sort((a, b) => a - b)
    const into = new Int32Array(limit)
    const count = set.takeAll(into)
    t.same([...into.subarray(0, count)], sorted, 'all are taken, ascending')
    t.same([set.takeAll(into), set.highest(), set.lowest()], [0, 0, 0], 'none is left')
  }
})

t.test('the memory of a book', async t => {
  t.test('keeps what it holds at each border of its growth', async t => {
    const memory = new BookMemory()
    const offsets: number[] = []
    const sizes = new Set<number>()
    // Parts of 1,000 ints, each filled with its own number, up to 6 MB: copies first, then steps in place.
    for (let part = 1; part <= 1500; part++) {
      offsets.push(memory.allocate(1000, part))
      sizes.add(memory.ints.length)
    }
    const isKept = offsets.every((offset, at) =>
      memory.ints.subarray(offset, offset + 1000).every(value => value === at + 1),
    )
    t.equal(memory.doubles.length, memory.ints.length / 2)
    t.ok(isKept, 'every part holds what was written to it')
    t.same([...sizes].slice(0, 3), [2048, 4096, 8192], 'small memory doubles')
    const [last, before] = [...sizes].reverse() as [number, number]
    t.equal(4 * (last - before), 1024 * 1024, 'large memory grows by a megabyte')
  })

  t.test('never moves once it is large: an old view still sees what is written', async t => {
    const memory = new BookMemory()
    memory.allocate(100_000, 0)
    const { ints, doubles } = memory
    memory.allocate(10_000_000, 0)
    memory.doubles[7] = 2 ** 40 + 1
    memory.ints[100] = -5
    t.equal(doubles[7], 2 ** 40 + 1)
    t.equal(ints[100], -5)
    t.not(memory.ints, ints, 'the new view is longer')
  })

  t.test('grows in place for a bounded number of books only, and by copies for others', async t => {
    const inPlace = { count: 0, max: 2 }
    const books = Array.from({ length: 3 }, () => new BookMemory(inPlace))
    const fill = (memory: BookMemory) => memory.allocate(1_000_000, 7)
    for (const memory of books) fill(memory)
    t.equal(inPlace.count, 2)
    const shared = () => books.map(({ ints }) => ints.buffer instanceof SharedArrayBuffer)
    t.same(shared(), [true, true, false])
    for (const memory of books) fill(memory)
    t.same(shared(), [true, true, false], 'each stays as it is')
    t.same([books[2]?.ints[0], books[2]?.ints[1_999_999]], [7, 7], 'a copy loses nothing')
    books[0]?.release()
    t.equal(books[0]?.ints.length, 0)
    t.equal(inPlace.count, 1)
    const next = new BookMemory(inPlace)
    fill(next)
    t.ok(next.ints.buffer instanceof SharedArrayBuffer, 'a book that ended leaves its place to another')
    books[2]?.release()
    t.equal(inPlace.count, 2, 'one that was copied had none')
  })

  t.test('takes a part that is larger than all before it', async t => {
    const memory = new BookMemory()
    memory.allocate(2, 1)
    const offset = memory.allocate(3_000_000, 7)
    t.same([memory.ints[0], memory.ints[offset], memory.ints[offset + 2_999_999]], [1, 7, 7])
  })
})

t.test('the index of order numbers', async t => {
  const PAGE = 16_384

  t.test('returns no slot for an unknown number', async t => {
    const index = new SlotIndex(new BookMemory())
    index.set(5, 1)
    for (const unseen of [0, 4, 6, PAGE - 1, PAGE, 10 * PAGE, 0x7fff_ffff]) t.equal(index.get(unseen), -1)
    t.equal(index.get(5), 1)
  })

  t.test('does not show an old order on a reused page', async t => {
    const index = new SlotIndex(new BookMemory())
    index.set(7, 1)
    index.delete(7)
    index.set(3 * PAGE + 8, 2)
    t.equal(index.get(3 * PAGE + 7), -1)
    t.equal(index.get(3 * PAGE + 8), 2)
    t.equal(index.get(7), -1)
  })

  t.test('keeps a page while any order on it is open', async t => {
    const index = new SlotIndex(new BookMemory())
    for (let n = 0; n < PAGE; n++) index.set(n, n)
    for (let n = 0; n < PAGE - 1; n++) index.delete(n)
    index.set(PAGE, 99)
    t.equal(index.get(PAGE - 1), PAGE - 1)
    t.equal(index.get(PAGE), 99)
  })
})

t.test('a book allocates with its first order, and frees everything after its last', t => {
  const books = (count: number) => Array.from({ length: count }, () => new OrderBook(ticks(10_000)))
  const bytes = () => process.memoryUsage().arrayBuffers
  const before = bytes()
  const many = books(2000)
  t.ok((bytes() - before) / many.length < 64, 'an empty book has no arrays')
  const rest = (order: number, price: number) => {
    for (const book of many) book.rest(number(order), OWNER, 'yes', ticks(price), lots(1), NO_LOTS)
  }
  rest(1, 5000)
  t.ok((bytes() - before) / many.length < 16_384, 'a few kilobytes for one order', {
    grown: bytes() - before,
  })
  for (const book of many) {
    book.remove(book.find(number(1)))
    book.takeChanges()
    book.release()
    book.assertInvariants()
  }
  const [book] = many as [OrderBook]
  t.equal(book.best('yes'), NO_PRICE)
  t.equal(book.oldestAt(ticks(5000)), NO_SLOT)
  t.equal(book.find(number(1)), NO_SLOT)
  t.same(book.depth('yes'), [])
  t.same(book.takeChanges(), { bids: [], asks: [] })
  book.rest(number(2), OWNER, 'no', ticks(7000), lots(3), NO_LOTS)
  book.assertInvariants()
  t.same(book.depth('no'), [[7000, 3]], 'the book can be used again')
  t.throws(() => book.release(), BrokenInvariant)
  t.end()
})
