import t from 'tap'
import type { By } from '../../src/core/command.js'
import { prepareFile } from '../../src/exchange/recovery/recovery.js'
import { openInlineExecutor } from '../../src/shard/inline-executor.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { damagedCopy, damagedFiles } from '../fixtures/damaged-copy.js'
import { TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'
import { recoveredDesk } from '../fixtures/recovered-desk.js'

const BY: By = { who: 'loopback', address: '127.0.0.1', fields: {} }

const test = await TestExchange.open(t)
await test.create({ by: BY })
const other = await test.create({ by: BY })
await test.playAll(['gita buy 5 @ 4', 'hari sell 5 @ 4'], other.terms.code)
await test.exchange.moveMarket(other, 'close', BY)
await test.exchange.resolveMarket(other, { outcome: 'yes' }, BY)
await test.playAll(['gita buy 5 @ 4', 'hari sell 5 @ 4', 'gita sell 3 @ 9', 'hari buy 2 @ 1'])
await test.playAll(['gita buy 1 @ 0.5', 'kiran buy 2 @ 4', 'hari sell 2 @ 4'])
// Further back than a start checks.
for (let batch = 0; batch < 70; batch++) await test.playAll(['isha buy 1 @ 0.5'])
await test.playAll(['isha buy 2 @ 4', 'jaya sell 2 @ 4', 'isha sell 1 @ 9'])
await test.close()

/** Starts as the exchange does. Returns the refusal, if any. */
async function refusal(file: string): Promise<string | undefined> {
  try {
    prepareFile(file)
    recoveredDesk(file)
    await openInlineExecutor(file, { index: 0, count: 1 }).close()
    return undefined
  } catch (error) {
    return String(error)
  }
}

const number = (user: string) => `(SELECT number FROM accounts WHERE owner = 'user:${user}')`
const open = (user: string, more = '') =>
  `(SELECT max(number) FROM orders WHERE market = 1000001 AND account = ${number(user)}
    AND state IN ('resting', 'partially_filled') ${more})`
const order = (user: string, set: string, more = '') =>
  `UPDATE orders SET ${set} WHERE market = 1000001 AND number = ${open(user, more)}`
const account = (user: string, set: string) => `UPDATE accounts SET ${set} WHERE number = ${number(user)}`
const position = (user: string, set: string) =>
  `UPDATE positions SET ${set} WHERE market = 1000001 AND account = ${number(user)}`
const market = (set: string) => `UPDATE markets SET ${set} WHERE code = 1000001`
const batch = (back: number, set: string) =>
  `UPDATE journal SET ${set} WHERE sequence = (SELECT max(sequence) - ${back} FROM journal)`
const moved = (from: string, to: string) =>
  `${account(from, 'cash = cash - 1')}; ${account(to, 'cash = cash + 1')}`
const line = (user: string) => `id = (SELECT last_entry FROM accounts WHERE number = ${number(user)})`

/** Damage a start finds, with part of the refusal. Gita and Hari traded long ago, Isha and Jaya just now. */
const REFUSED: readonly (readonly [what: string, sql: string, says: RegExp])[] = [
  ['money moved between two users', moved('gita', 'hari'), /\(user:gita\) has \d+, by its statement \d+/],
  [
    'money moved from the house',
    `${account('gita', 'cash = cash + 1')}; UPDATE accounts SET cash = cash - 1 WHERE number = 3`,
    /account 3 holds 0 of -1/,
  ],
  [
    'money moved from outside',
    `${account('gita', 'cash = cash + 1')}; UPDATE accounts SET cash = cash - 1 WHERE number = 1`,
    /by its statement/,
  ],
  ['money made', account('gita', 'cash = cash + 1'), /sums to 1, not to zero/],
  ['money outside made', 'UPDATE accounts SET cash = cash + 1 WHERE number = 1', /sums to 1, not to zero/],
  ['a hold made larger', account('gita', 'held = held + 1'), /holds \d+, its orders/],
  ['a hold lost', account('gita', 'held = 0'), /holds 0, its orders/],
  [
    'an escrow above the payout of its pairs',
    `UPDATE accounts SET cash = cash + 1 WHERE owner = 'escrow:1000001'; UPDATE accounts SET cash = cash - 1 WHERE number = 1`,
    /escrow/,
  ],
  [
    'a statement with a different final balance',
    `UPDATE entries SET cash = cash + 1 WHERE ${line('gita')}`,
    /by its statement/,
  ],
  [
    'a last statement line of another user',
    `UPDATE entries SET account = ${number('hari')} WHERE ${line('gita')}`,
    /other last rows/,
  ],
  [
    'an account pointing to a different last line',
    account('gita', 'last_entry = last_entry - 1'),
    /by its statement|other last rows/,
  ],
  ['an account whose last line is gone', account('gita', 'last_entry = NULL'), /by its statement/],
  ['a user told less', account('gita', 'user_seq = user_seq - 1'), /other last rows/],
  ['a user told by another row', account('gita', 'last_update = last_update - 1'), /other last rows/],
  ['a new user with another name', account('jaya', "owner = 'user:jaye'"), /in accounts has owner user:jaye/],
  ['another price of a bid', order('gita', 'price = price + 1', "AND side = 'yes'"), /holds \d+, its orders/],
  [
    'a different price on a recent offer',
    order('isha', 'price = price + 1', 'AND covered > 0'),
    /in orders has price 901/,
  ],
  [
    'a price beyond the market',
    order('gita', 'price = 1000', 'AND covered > 0'),
    /its price 1000 is not valid/,
  ],
  ['another side', order('gita', "side = 'no'", "AND side = 'yes'"), /holds|locked|crossed/],
  ['no side', order('gita', "side = 'maybe'"), /it has no side/],
  ['another user of an open order', order('gita', `account = ${number('hari')}`), /holds|locked/],
  ['an unknown user of an open order', order('gita', 'account = 99999'), /account 99999/],
  ['an unknown user with a very high number', order('gita', 'account = 2147483646'), /account 2147483646/],
  ['an unknown user with too high a number', order('gita', 'account = 4294967301'), /account 4294967301/],
  ['an unknown user with a negative number', order('gita', 'account = -5'), /order is of account -5/],
  ['an open order of the exchange', order('gita', 'account = 0'), /order is of account 0/],
  ['a larger order', order('gita', 'quantity = quantity + 1'), /holds|locked|covered/],
  ['an order with a fill that never was', order('gita', 'filled = filled + 1'), /filled/],
  [
    'fills without a price',
    order('gita', 'filled_value = filled_value + 1', 'AND filled = 0'),
    /beyond its limit/,
  ],
  ['a covered order uncovered', order('gita', 'covered = 0', 'AND covered > 0'), /holds|locked/],
  ['an open order that ended', order('gita', "state = 'cancelled'"), /holds|locked/],
  [
    'an ended order shown as open',
    `UPDATE orders SET state = 'resting' WHERE market = 1000001 AND number = (SELECT number FROM orders WHERE state = 'filled' AND market = 1000001 LIMIT 1)`,
    /of \d+|holds/,
  ],
  [
    'a missing open order',
    `DELETE FROM orders WHERE market = 1000001 AND number = ${open('gita')}`,
    /holds|locked/,
  ],
  ['an open order that rests as immediate', order('gita', "time_in_force = 'IOC'"), /rests as IOC/],
  ['an open market order', order('gita', "order_type = 'MO'"), /it has ended/],
  ['an open order with a reason', order('gita', "reason = 'user_cancelled'"), /it has ended/],
  ['an id that no client could name', order('gita', "suffix = 'a-b'"), /its id ends in a-b/],
  ['another id of an order just placed', order('isha', "suffix = 'other'"), /in orders has suffix other/],
  [
    'a different date on a recent order',
    order('isha', 'created_at = created_at - 1'),
    /in orders has created_at/,
  ],
  [
    'contracts moved between two recent traders',
    `${position('isha', 'yes = yes - 1')}; ${position('gita', 'yes = yes + 1')}`,
    /in positions has yes/,
  ],
  ['contracts made', position('gita', 'yes = yes + 1'), /YES and \d+ NO/],
  ['what a position cost', position('gita', 'paid = paid + 1'), /its users put in/],
  ['a lock lost', position('gita', 'yes_locked = 0'), /locked/],
  ['pairs made', market('open_pairs = open_pairs + 1'), /escrow/],
  ['a trader made', market('traders = traders + 1'), /has 6 traders, by its positions 5/],
  ['another payout', market('payout = payout + 1'), /escrow/],
  ['another last price', market('last_price = last_price + 1'), /another last trade/],
  ['a trade forgotten', market('trades = trades - 1'), /another last trade/],
  [
    'a last trade at a different price',
    'UPDATE trades SET price = price + 1 WHERE market = 1000001 AND trade = (SELECT trades FROM markets WHERE code = 1000001)',
    /another last trade/,
  ],
  [
    'a missing last trade',
    'DELETE FROM trades WHERE market = 1000001 AND trade = (SELECT trades FROM markets WHERE code = 1000001)',
    /another last trade/,
  ],
  [
    'a recent batch with a changed command',
    batch(5, "commands = replace(commands, 'isha', 'gita')"),
    /batch \d+ of the journal does not follow/,
  ],
  ['a recent batch with a changed hash', batch(5, 'hash = zeroblob(32)'), /does not follow/],
  ['a recent batch with a changed time', batch(5, 'at = at - 1'), /the time of batch|does not follow/],
  [
    'a missing recent batch',
    'DELETE FROM journal WHERE sequence = (SELECT max(sequence) - 5 FROM journal)',
    /batch \d+ of the journal is missing/,
  ],
  [
    'a missing last batch',
    'DELETE FROM journal WHERE sequence = (SELECT max(sequence) FROM journal)',
    /the journal ends at batch/,
  ],
  [
    'a recent private message with a changed fill',
    `UPDATE updates SET orders = replace(orders, 'filled', 'resting') WHERE id = (SELECT last_update FROM accounts WHERE number = ${number('jaya')})`,
    /in orders has state/,
  ],
]

/** Damage that passes a start because only the whole journal shows it; `raay verify` finds it. */
const LEFT_TO_VERIFY: readonly (readonly [what: string, sql: string])[] = [
  [
    'money moved with the ends of both statements',
    `${moved('gita', 'hari')}; UPDATE entries SET cash = cash - 1 WHERE ${line('gita')}; UPDATE entries SET cash = cash + 1 WHERE ${line('hari')}`,
  ],
  ['another change in a line', `UPDATE entries SET change = change + 1 WHERE ${line('gita')}`],
  [
    'a different price on an old offer with locked contracts',
    order('gita', 'price = price + 1', 'AND covered > 0'),
  ],
  ['another id of an old order', order('gita', "suffix = 'other'")],
  ['another date of an old order', order('gita', 'created_at = created_at - 1')],
  ['another limit of an old order', order('gita', 'post_only = 1')],
  [
    'contracts moved between two earlier traders',
    `${position('gita', 'yes = yes + 1')}; UPDATE positions SET yes = yes - 1 WHERE market = 1000001 AND account = (SELECT account FROM positions WHERE market = 1000001 AND yes > yes_locked AND account NOT IN (${number('gita')}, ${number('isha')}) LIMIT 1)`,
  ],
  ['an old user with another name', account('gita', "owner = 'user:gite'")],
  [
    'an old trade with a different quantity',
    'UPDATE trades SET quantity = quantity + 1 WHERE market = 1000001 AND trade = 1',
  ],
  ['a trader made of a settled event', 'UPDATE markets SET traders = traders + 1 WHERE code = 1000002'],
  [
    'a settled position that cost more',
    'UPDATE positions SET paid = paid + 1 WHERE (market, account) = (SELECT market, account FROM positions WHERE market = 1000002 LIMIT 1)',
  ],
  ['another volume', market('volume = volume + 1')],
  ['another capacity', market('capacity = capacity + 1')],
  ['another end', market('end_at = end_at + 1')],
  ['another title', market("title = title || '!'")],
  [
    'an old batch with a changed command',
    "UPDATE journal SET commands = replace(commands, 'gita', 'hari') WHERE sequence = (SELECT min(sequence) FROM journal WHERE commands LIKE '%gita%')",
  ],
  ['an old batch lost', 'DELETE FROM journal WHERE sequence = 3'],
  [
    'a settlement with a different payment',
    'UPDATE settlements SET payment = payment + 1 WHERE (account, market) = (SELECT account, market FROM settlements LIMIT 1)',
  ],
  [
    'an action by someone else',
    "UPDATE admin_actions SET who = 'open' WHERE sequence = (SELECT min(sequence) FROM admin_actions)",
  ],
]

t.equal(await refusal(damagedCopy(test.file, () => undefined)), undefined, 'the undamaged file is accepted')

t.test('a start reports provable damage with a remedy', async t => {
  for (const [what, sql, says] of REFUSED) {
    const found = await refusal(damagedFiles(test.file, database => database.exec(sql)))
    t.match(found, says, what)
    t.match(found, /RecoveryError.+restore .*a backup/s, `${what}: the advice`)
  }
})

t.test('damage that only the whole journal reveals passes the start and fails verify', async t => {
  for (const [what, sql] of LEFT_TO_VERIFY) {
    const file = damagedFiles(test.file, database => database.exec(sql))
    t.not(wrong(verifyFile(file)).length, 0, `${what}: found by verify`)
    t.equal(await refusal(file), undefined, what)
  }
})
