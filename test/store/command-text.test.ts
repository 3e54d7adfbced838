import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import type { Admission, Command, CreateOrder } from '../../src/core/command.js'
import type { BatchKey, BatchPart } from '../../src/core/order-names.js'
import { batchText, commandsText, readCommands, writeCommands } from '../../src/store/command-text.js'
import { versionRefusal } from '../../src/store/schema.js'
import { SCHEMA_VERSION, TABLES_SCHEMA } from '../../src/store/tables-schema.js'
import { Dice } from '../fixtures/dice.js'
import { RandomJournal } from '../fixtures/merged/random-journal.js'

/** As a program without forms stored it, and read it again: what is undefined is absent. */
const asJson = (commands: readonly Command[]) => JSON.parse(JSON.stringify(commands)) as Command[]
const dice = Dice.fromEnvironment(t)

type Fields = Readonly<Record<string, unknown>>

/** Returns some of the fields: each as it is, undefined or absent. */
function someOf(fields: Fields): Fields {
  const kept = Object.entries(fields).map(([name, value]) => [name, value, dice.between(1, 4)] as const)
  return Object.fromEntries(
    kept.flatMap(([name, value, roll]) => (roll < 3 ? [[name, roll === 1 ? value : undefined]] : [])),
  )
}

const number = () => dice.oneOf([1, 7, 2 ** 53 - 1, dice.between(1, 1e9)])
const text = () => dice.oneOf(['m1', 'a "b" \\ \n', 'आशा', '', '\ud800', '[0,{'])
const key = (): BatchKey => ({ name: text(), fingerprint: text() })
const part = (): BatchPart => ({ ...key(), index: dice.between(0, 99) })

function admission(): Admission {
  if (dice.percent(10)) return { refusal: 'price_off_tick' }
  const funds = { price: dice.between(0, 999), quantity: number(), covered: number(), hold: number() }
  const fees = { taker: dice.between(0, 99), maker: dice.between(0, 99) }
  const more = dice.percent(30) ? someOf({ cappedByBet: true, fees, costMax: number() }) : {}
  return { ...funds, ...(dice.percent(95) && { makersMax: number() }), ...more } as unknown as Admission
}

function order(): CreateOrder {
  const market = dice.between(1_000_001, 1_000_003)
  const side = dice.oneOf(['yes', 'no'] as const)
  const options = {
    timeInForce: dice.oneOf(['GTC', 'GTD', 'IOC', 'FOK']),
    expiresAt: number(),
    validUntil: number(),
    postOnly: true,
    reduceOnly: true,
    quoteSet: text(),
    key: key(),
    name: text(),
    batch: dice.percent(80) ? { name: 'a', fingerprint: 'b', index: dice.between(0, 9) } : part(),
    asked: { price: 5.005, quantity: 1e-7 },
  }
  return {
    type: 'CREATE_ORDER',
    id: text(),
    data: {
      market: dice.percent(95) ? String(market) : `0${market}`,
      price: dice.oneOf([5, 5.25, 0.1, 1e21]),
      quantity: 2.5,
      side,
      userId: text(),
    },
    market,
    number: number(),
    suffix: text(),
    account: dice.between(3, 5),
    orderType: dice.oneOf(['LO', 'MO']),
    selfTrade: dice.oneOf(['taker', 'maker', 'off']),
    outcome: dice.oneOf(['yes', 'no']),
    admission: admission(),
    ...(dice.percent(50) ? someOf(options) : {}),
  } as unknown as CreateOrder
}

function command(): Command {
  const place = { id: text(), market: number(), number: number() }
  const orders = Array.from({ length: dice.between(0, 4) }, order)
  const cuts = [[number()], [number(), number()]]
  const quotes = { account: 7, cuts, extraHold: number(), extraYes: number(), extraNo: 0, orders }
  return dice.oneOf<() => unknown>([
    order,
    order,
    () => ({ type: 'CANCEL_ORDER', ...place, reason: 'user_cancelled', ...someOf({ amendment: key() }) }),
    () => ({ type: 'REDUCE_ORDER', ...place, lots: number(), ...someOf({ amendment: key() }) }),
    () => ({
      ...{ type: 'REPLACE_ORDER', ...place, remaining: number(), order: order() },
      ...{ extraHold: number(), extraCovered: number(), ...someOf({ isMinChecked: true }) },
    }),
    () => ({ type: 'REPLACE_QUOTES', id: text(), market: number(), ...quotes }),
    () => ({ type: 'REQUOTE_HOUSE', id: text(), market: number(), ...quotes, trades: number() }),
    () => ({ type: 'MERGE_PAIRS', id: text(), market: number(), account: number(), quantity: number() }),
    () => ({ type: 'MOVE_MARKET', id: text(), market: number(), to: 'open', ...someOf({ clear: 5 }) }),
    () => ({ type: 'OPEN_ACCOUNT', id: text(), account: number(), userId: text(), amount: number() }),
  ])() as Command
}

t.test('random commands of all kinds are read as they were written, whatever is absent or undefined', t => {
  const types = new Set<string>()
  let passed = 0
  for (let round = 0; round < 3000; round++) {
    const commands = Array.from({ length: dice.between(1, 8) }, command)
    const middle = dice.between(0, commands.length - 1)
    const groups = [commands.slice(0, middle), commands.slice(middle)].filter(group => group.length > 0)
    const written = batchText(groups.map(commandsText).join(','))
    const read = readCommands(written, 1)
    const again = readCommands(writeCommands(read), 1)
    if (isDeepStrictEqual(read, asJson(commands)) && isDeepStrictEqual(again, read)) passed += 1
    else t.strictSame({ read, again }, { read: asJson(commands), again: read }, written)
    if (!t.passing()) break
    for (const { type } of commands) types.add(type)
  }
  t.equal(passed, 3000)
  t.equal(types.size, 9)
  t.end()
})

t.test('each command of a random exchange, and of before there were forms', t => {
  const journal = new RandomJournal(dice)
  const types = new Set<string>()
  for (let round = 0; round < 300; round++) {
    const { commands: written, sequence } = journal.next()
    const commands = readCommands(written, sequence)
    for (const { type } of commands) types.add(type)
    if (!t.strictSame(readCommands(JSON.stringify(commands), sequence), commands)) break
    if (!t.equal(writeCommands(commands), written)) break
  }
  t.ok(types.size >= 20, [...types].join(' '))
  t.end()
})

t.test('an order is a list, and what is that of the order before stands there once', t => {
  const plain: CreateOrder = {
    type: 'CREATE_ORDER',
    id: 'b8a1',
    data: { market: '1000001', price: 5.25, quantity: 2.5, side: 'no', userId: 'asha' },
    market: 1_000_001 as never,
    number: 7 as never,
    suffix: 'k3',
    account: 9 as never,
    orderType: 'LO',
    selfTrade: 'maker',
    outcome: 'no',
    asked: undefined,
    admission: { price: 525, quantity: 250, covered: 0, hold: 1_187_500, makersMax: 10_000 } as never,
  }
  const part = { name: 'n', fingerprint: 'f' }
  const commands: Command[] = [
    { ...plain, batch: { ...part, index: 0 } },
    { ...plain, batch: { ...part, index: 1 }, postOnly: true },
    { type: 'CLEAR_BOOK', id: 'c', market: 1_000_001 as never, length: 5 },
  ]
  t.equal(
    writeCommands(commands),
    '[1,[1,"b8a1",1000001,7,"k3",9,"asha",11,5.25,2.5,525,250,0,1187500,10000,{"batch":{"name":"n","fingerprint":"f","index":0}}],' +
      '[1,"b8a1",0,7,"k3",0,0,11,5.25,2.5,525,250,0,1187500,10000,{"postOnly":true,"batch":1}],' +
      '{"type":"CLEAR_BOOK","id":"c","market":1000001,"length":5}]',
  )
  t.end()
})

t.test('a form or a kind that this program does not know is refused, and the batch is named', t => {
  t.throws(() => readCommands('[2,[1]]', 4021), {
    message: 'batch 4021 has form 2, this program knows 1: start a newer Raay',
  })
  const orderCells = '1,"i",1000001,7,"k3",9,"asha",11,5.25,2.5,525,250,0,1187500,10000'
  t.equal(readCommands(`[1,[${orderCells}]]`, 1).length, 1)
  for (const cells of [
    '[99,"i"]',
    '[]',
    '["1"]',
    '7',
    'null',
    '[1,"i",1000001]',
    `[${orderCells},{},0]`,
    `[${orderCells.replace(',11,', ',99,')}]`,
    `[${orderCells.replace('1000001', '0')}]`,
    `[${orderCells},{"batch":3}]`,
    '[2,"i",1,2]',
    '[2,"i",1,2,"user_cancelled",{},3]',
    '[4,"i",1,2,3,[1],0,0,0]',
    '[5,"i",1,2,[],0,0,0,[[1]]]',
    '[6,"i",1,2,[],0,0,0,[]]',
    '[7,"i",1,2]',
    '{}',
    '{"type":7}',
    `[${orderCells},7]`,
    `[${orderCells.replace(',11,', ',"11",')}]`,
    `[${orderCells.replace(',11,', ',11.5,')}]`,
    `[${orderCells.replace(',11,', ',4294967307,')}]`,
    '[4,"i",1,2,3,null,0,0,0]',
    '[5,"i",1,2,[],0,0,0,[null]]',
    '[5,"i",1,2,[],0,0,0,[7]]',
  ]) {
    t.throws(() => readCommands(`[1,${cells}]`, 4021), { message: /^batch 4021 has a command / }, cells)
  }
  t.end()
})

t.test('whatever a text is, the error names the batch', t => {
  const error = { name: 'UnreadableBatchError', message: /^batch 7 / }
  const texts = [
    '',
    '[',
    'null',
    '7',
    '"a"',
    '{}',
    '[null]',
    '[7]',
    '[[1]]',
    '["a"]',
    '[{}]',
    '[1,[5,"i",1,2,[],0,0,0,5]]',
  ]
  for (const text of texts) t.throws(() => readCommands(text, 7), error, text)
  const written = writeCommands(Array.from({ length: 6 }, command))
  for (let round = 0; round < 3000; round++) {
    const [from, length] = [dice.between(0, written.length), dice.between(0, 3)]
    const damaged =
      written.slice(0, from) + dice.oneOf(['', 'null', '0', ',', '"']) + written.slice(from + length)
    try {
      for (const { type } of readCommands(damaged, 7)) if (typeof type !== 'string') t.fail(damaged)
    } catch (caught) {
      if (!/^batch 7 /.test((caught as Error).message)) t.match(caught, error, damaged)
    }
  }
  t.end()
})

t.test('a market or an account with the number that says "as before" is written out', t => {
  const [first, second] = [order(), order()].map(one => ({
    ...one,
    admission: { price: 1, quantity: 1, covered: 0, hold: 1, makersMax: 1 },
  }))
  for (const zero of [{ market: 0, data: { ...second?.data, market: '0' } }, { account: 0 }]) {
    const commands = [first, { ...second, ...zero }] as unknown as Command[]
    t.strictSame(readCommands(writeCommands(commands), 1), asJson(commands))
  }
  t.end()
})

t.test('a program from before there were forms refuses a file that may have them', t => {
  const before = { ...TABLES_SCHEMA, steps: TABLES_SCHEMA.steps.slice(0, 10) }
  t.match(versionRefusal(SCHEMA_VERSION, before), /this program knows 20: start a newer Raay/)
  t.end()
})
