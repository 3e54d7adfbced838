import t from 'tap'
import type { Plant } from './plants.js'
import { noticePlants } from './plants.js'

const REQUOTES = 'exchange/house/requotes.js'
const TABLE = 'core/house/quote-table.js'
const SHARD = 'engine/shard-house.js'

/** Faults in house quotes. Where the shard refuses what the desk does wrong, it has the same fault. */
const PLANTS: readonly Plant[] = [
  [
    'a requote cuts nothing',
    [
      {
        file: REQUOTES,
        text: 'const cut = resting.filter(order => !kept.has(order));',
        by: 'const cut = [];',
      },
    ],
    2,
  ],
  [
    'a rung is quoted twice',
    [
      {
        file: REQUOTES,
        text: 'const placed = wanted.filter(rest => !resting.some(order => isSame(order, rest)));',
        by: 'const placed = wanted;',
      },
      {
        file: SHARD,
        text: 'if (before !== undefined && book.find(before.number) !== NO_SLOT)',
        by: 'if (before === null)',
      },
    ],
    2,
  ],
  [
    'the house bids where it sells',
    [
      {
        file: TABLE,
        text: "yes.push({ side: 'yes', price: rungPrice(table, cell), lots: lots(back) });",
        by: "yes.push({ side: 'yes', price: rungPrice(table, cell + 1), lots: lots(back) });",
      },
      {
        file: TABLE,
        text: "const cell = side === 'yes' ? rung : rung - 1;",
        by: 'const cell = rung - 1;',
      },
    ],
    2,
  ],
  [
    'a table may lose more than its budget',
    [
      {
        file: TABLE,
        text: 'lossMax(table, payout) <= budget',
        by: 'lossMax(table, payout) <= budget * 1.02',
      },
    ],
    2,
  ],
  [
    'a requote is lost in a crash',
    [{ file: 'exchange/batch-effects.js', text: 'house.start();', by: '' }],
    10,
  ],
  [
    'each outcome of a group gets its whole budget',
    [
      {
        file: 'exchange/house/house-funding.js',
        text: 'amount(Math.floor(budget / markets.length))',
        by: 'budget',
      },
    ],
    3,
  ],
  [
    'the ceiling forgets what has not been committed',
    [{ file: 'exchange/house/house-funding.js', text: 'this.#ahead.set(code, budget);', by: '' }],
    16,
  ],
  [
    'the money of the house stays at the settlement',
    [
      {
        file: 'exchange/house/house-quotes.js',
        text: 'this.#payBack(market, funding, isEnded);',
        by: '{ if (funding.stoppedAt !== undefined) this.#payBack(market, funding, isEnded); }',
      },
    ],
    2,
  ],
  [
    'a halted market is quoted',
    [
      {
        file: REQUOTES,
        text: "market.pendingStatus !== 'open' || market.progress.status !== 'open'",
        by: 'false',
      },
    ],
    2,
  ],
  [
    'the house is refused by the limits of bets',
    [
      {
        file: 'engine/arrival-check.js',
        text: 'if (house.owns(order.account))',
        by: 'if (order.account < 0)',
      },
    ],
    10,
  ],
]

noticePlants(t, PLANTS)
