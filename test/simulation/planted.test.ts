import t from 'tap'
import type { Plant } from './plants.js'
import { noticePlants } from './plants.js'

const FOLLOWER = 'follower/follower.js'
const FOLLOWING = 'follower/following.js'

/**
 * Faults between journal, answer and tables. The power-cut test and that of the follower's rules have the
 * others.
 */
const PLANTS: readonly Plant[] = [
  [
    'the follower skips a batch',
    [
      {
        file: FOLLOWER,
        text: 'this.#tables.take(batch);',
        by: 'if (sequence % 20 !== 7) this.#tables.take(batch);',
      },
    ],
  ],
  [
    'the follower writes a batch twice',
    [
      {
        file: FOLLOWER,
        text: 'this.#tables.take(batch);',
        by: `this.#tables.take(batch);
            if (sequence % 20 === 7) this.#tables.take(batch);`,
      },
    ],
  ],
  [
    'the mark of a batch is committed before its rows',
    [
      {
        file: FOLLOWER,
        text: 'const write = this.#database.transaction(() => {',
        by: `this.#reached.move(last.sequence, last.hash);
        const write = this.#database.transaction(() => {`,
      },
    ],
  ],
  [
    'a read does not wait for the tables',
    [
      {
        file: FOLLOWING,
        text: 'if (this.#reached >= this.#committed)\n            return undefined;',
        by: 'return undefined;',
      },
    ],
    2,
  ],
  [
    'fresh rows are forgotten before the tables have them',
    [
      {
        file: 'exchange/reads/fresh-rows.js',
        text: 'this.#added.findIndex(added => added.sequence > sequence)',
        by: 'this.#added.findIndex(() => false)',
      },
    ],
    8,
  ],
  [
    'the journal is dropped from its old file before the new one has its name',
    [
      {
        file: 'store/files/journal-split.js',
        text: "database.exec('DROP TABLE main.journal');",
        by: "if (hasJournal(database)) database.exec('DROP TABLE main.journal');",
      },
      {
        file: 'store/files/journal-split.js',
        text: "database.exec('DETACH part');\n    }\n}\nfunction removeDatabase",
        by: "database.exec('DROP TABLE IF EXISTS main.journal');database.exec('DETACH part');\n    }\n}\nfunction removeDatabase",
      },
    ],
    160,
  ],
  [
    'batches are applied in the order in which they come back',
    [
      {
        file: 'shard/journal-order.js',
        text: 'if (sequence !== this.#applied + 1) {',
        by: 'if (sequence < 0) {',
      },
    ],
    2,
  ],
  [
    'what quotes release is counted twice',
    [
      {
        file: 'exchange/orders/quote-plan.js',
        text: 'released.money += holdOf(quote, payout) - holdOf(after, payout);',
        by: 'released.money += 2 * (holdOf(quote, payout) - holdOf(after, payout));',
      },
      // The shard pays new quotes with what it has released itself: alone, the desk's fault refuses some of them.
      { file: 'engine/quote-pool.js', text: 'this.#money += hold;', by: 'this.#money += 2 * hold;' },
    ],
    28,
  ],
  [
    'a quote that grows keeps its place',
    [
      {
        file: 'exchange/orders/quote-plan.js',
        text: 'keep(({ rest }, size) => rest === size);',
        by: 'keep(({ rest }, size) => rest <= size);',
      },
    ],
    32,
  ],
  [
    'a timer leaves the last of its orders open',
    [
      {
        file: 'exchange/orders/order-timers.js',
        text: 'number <= (last.get(market) ?? 0)',
        by: 'number < (last.get(market) ?? 0)',
      },
    ],
    49,
  ],
  [
    'a timer cancels an order that arrived after its end',
    [
      {
        file: 'exchange/orders/order-timers.js',
        text: 'return this.#isDue(account) ? this.#fire(account).committed : undefined;',
        by: 'return undefined;',
      },
    ],
  ],
  [
    'an order that fills in parts pays its fee rounded up for each',
    [
      {
        file: 'core/fees.js',
        text: 'credit: Number(due * unit - exact)',
        by: 'credit: 0',
      },
    ],
  ],
  [
    'a start does not replay the tail of the journal',
    [
      {
        file: 'exchange/recovery/recovery.js',
        text: 'followToEnd(file, end.sequence);',
        by: '',
      },
    ],
  ],
  [
    'a conversion does not count the sets that it completes',
    [{ file: 'engine/shard-group.js', text: 'this.sets.count += sets;', by: '' }],
    3,
  ],
  [
    'a conversion forgets the last outcome of a group, as if "None of these" were missing',
    [
      {
        file: 'core/conversion.js',
        text: "const yes = { side: 'yes', markets: others };",
        by: "const yes = { side: 'yes', markets: others.slice(0, -1) };",
      },
    ],
    3,
  ],
  [
    'a part of a void group is lost',
    [
      {
        file: 'exchange/markets/closing.js',
        text: "const positions = this.#nextPositions(code, 'void');",
        by: "const positions = this.#nextPositions(code, 'void').slice(1);",
      },
    ],
    3,
  ],
  [
    'the fees of a group leave it as an outcome is eliminated',
    [
      {
        file: 'engine/shard-group.js',
        text: "escrow === undefined || progresses.some(({ status }) => status !== 'settled')",
        by: 'escrow === undefined',
      },
    ],
    17,
  ],
  [
    'contracts that an order sells are converted',
    [
      {
        file: 'exchange/groups/conversions.js',
        text: 'ledger.free(market, account, takes.side) < plan.lots',
        by: 'ledger.contracts(market, account)[takes.side] < plan.lots',
      },
    ],
    192,
  ],
  [
    'a name makes a conversion once more',
    [
      {
        file: 'exchange/groups/conversions.js',
        text: 'if (known !== undefined) {',
        by: 'if (known === null) {',
      },
    ],
    3,
  ],
]

noticePlants(t, PLANTS)
