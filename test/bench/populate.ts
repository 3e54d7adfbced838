import type { Command, CreateOrder } from '../../src/core/command.js'
import { FIRST_FREE_ACCOUNT } from '../../src/core/ledger.js'
import type { SelfTradePrevention, Side } from '../../src/core/order.js'
import type { AccountNumber, MarketCode, OrderNumber, TimeMs } from '../../src/core/units.js'
import { amount, lots, ticks, times } from '../../src/core/units.js'
import { prepareFile } from '../../src/exchange/recovery/recovery.js'
import { Balances } from '../../src/shard/balances.js'
import type { OpenRunner } from '../../src/shard/batch-runner.js'
import { openRunner } from '../../src/shard/batch-runner.js'
import { writeCommands } from '../../src/store/command-text.js'
import { DecisionMark } from '../../src/store/companions/decision-mark.js'
import { WriteLock } from '../../src/store/write-lock.js'

const BATCH_LENGTH = 5000
const PAYOUT = ticks(1000)
const DAY_MS = 86_400_000
const CASH = amount(1000_0000)
const SUFFIX = 'bench'
const SMALLEST = 0.1

/** The two markets of a populated file. */
export const CROWDED = 1_000_001 as MarketCode
export const QUIET = 1_000_002 as MarketCode
const HUB = (FIRST_FREE_ACCOUNT + 2) as AccountNumber
const PLENTY = amount(2 ** 50)
/** ₹100,000: a million users have less than all accounts may hold. */
const PLENTY_EACH = amount(1e9)

interface Sweeping {
  readonly selfTrade?: SelfTradePrevention
  readonly makersMax?: number
}

/**
 * Fills a new file with users through the shard's own interface, many commands a batch: what the desk
 * would have sent, without its clients. The journal contains everything, so such a file verifies.
 */
export class Population {
  readonly #file: string
  readonly #shard: OpenRunner
  readonly #numbers = new Map<MarketCode, number>()
  readonly #userIds = new Map<AccountNumber, string>()
  #now: number
  #waiting: Command[] = []
  #ids = 0
  #accounts = HUB as number

  constructor(file: string, startedAt = Date.now()) {
    this.#file = file
    this.#now = startedAt
    prepareFile(file)
    new DecisionMark(file).allowNone()
    const shared = { writeLock: new WriteLock(), balances: new Balances() }
    this.#shard = openRunner(file, shared, { index: 0, count: 1 })
  }

  /** Opens both markets, and the account of the hub, the counterparty of every trade. */
  async begin(): Promise<void> {
    await this.#createMarket(CROWDED, FIRST_FREE_ACCOUNT)
    await this.#createMarket(QUIET, (FIRST_FREE_ACCOUNT + 1) as AccountNumber)
    await this.#open(HUB, 'hub', PLENTY)
  }

  /** Adds this many users, each with one contract bought from the hub: YES and NO in turn. */
  async holders(count: number): Promise<void> {
    for (const side of ['yes', 'no'] as const) {
      const users = Math.ceil(count / 2)
      await this.#place(HUB, side === 'yes' ? 'no' : 'yes', 400, users)
      for (let user = 0; user < users; user++) await this.#place(await this.#newUser(), side, 400, 1)
    }
    await this.#flush()
  }

  /** Adds this many users with this many orders each, which rest in 800 levels. */
  async resting(users: number, ordersEach: number): Promise<void> {
    for (let user = 0; user < users; user++) {
      const account = await this.#newUser()
      for (let order = 0; order < ordersEach; order++) {
        const level = (user * ordersEach + order) % 400
        const side = order % 2 === 0 ? 'yes' : 'no'
        await this.#place(account, side, side === 'yes' ? 50 + level : 550 + level, 1)
      }
    }
    await this.#flush()
  }

  /** Adds this many users who have nothing but money; returns their ids. */
  async users(count: number): Promise<[string, ...string[]]> {
    const ids: string[] = []
    for (let user = 0; user < count; user++)
      ids.push(this.#userIds.get(await this.#newUser(PLENTY_EACH)) ?? '')
    await this.#flush()
    return ids as [string, ...string[]]
  }

  /** Makes as many markets as there are to be; returns their codes. */
  async markets(count: number): Promise<MarketCode[]> {
    const codes = [CROWDED, QUIET]
    while (codes.length < count) {
      const code = (CROWDED + codes.length) as MarketCode
      this.#accounts++
      await this.#createMarket(code, this.#accounts as AccountNumber)
      codes.push(code)
    }
    await this.#flush()
    return codes.slice(0, count)
  }

  /** Adds this many orders of one user which the hub has filled, each in a trade of its own. */
  async ended(count: number): Promise<void> {
    const account = await this.#newUser(PLENTY)
    await this.#place(HUB, 'no', 400, count)
    for (let order = 0; order < count; order++) await this.#place(account, 'yes', 400, 1)
    await this.#flush()
  }

  /** Adds this many resting orders of the hub, the smallest there are, in a few levels on one side. */
  async deep(count: number, market = CROWDED): Promise<void> {
    for (let order = 0; order < count; order++) {
      await this.#place(HUB, 'no', 400 + (order % 7), SMALLEST, market)
    }
    await this.#flush()
  }

  /**
   * Sends one order that meets the whole of such a book, in a batch of its own: another user's, or the hub's,
   * which cancels what it meets. Without `makersMax`, as in older journals, it meets all of them.
   */
  async sweep(by: 'other' | 'hub', contracts: number, makersMax?: number): Promise<void> {
    await this.#flush()
    const account = by === 'hub' ? HUB : await this.#newUser(PLENTY)
    const options = { selfTrade: 'maker' as const, ...(makersMax !== undefined && { makersMax }) }
    await this.#place(account, 'yes', 406, contracts, CROWDED, options)
    await this.#flush()
  }

  /**
   * Adds one user with this many orders in this many markets, those two and new ones, in turn: the hub
   * fills every other order, the rest stay open. Returns the order ids in the order of placement.
   */
  async manyOrders(userId: string, count: number, markets: number): Promise<string[]> {
    const codes = await this.markets(Math.max(2, markets))
    // Twice what is bought in each.
    const offered = Math.ceil(count / codes.length)
    for (const code of codes) await this.#place(HUB, 'no', 400, offered, code)
    this.#accounts++
    const account = this.#accounts as AccountNumber
    await this.#open(account, userId, PLENTY)
    const ids: string[] = []
    for (let order = 0; order < count; order++) {
      const code = codes[Math.floor(order / 2) % codes.length] as MarketCode
      const price = order % 2 === 0 ? 400 : 50 + (order % 300)
      await this.#place(account, 'yes', price, 1, code)
      ids.push(`${code}-${this.#numbers.get(code)}-${SUFFIX}`)
    }
    await this.#flush()
    return ids
  }

  /** Returns the hash of the current books. */
  async stateHash(): Promise<string> {
    return this.#shard.runner.stateHash()
  }

  async close(): Promise<void> {
    await this.#flush()
    await this.#shard.close()
    // Brings the tables to the end of the journal, so that the next start has nothing to replay.
    prepareFile(this.#file)
  }

  async #newUser(cash = CASH): Promise<AccountNumber> {
    this.#accounts++
    await this.#open(this.#accounts as AccountNumber, `user${this.#accounts}`, cash)
    return this.#accounts as AccountNumber
  }

  #open(account: AccountNumber, userId: string, cash: typeof CASH): Promise<void> {
    this.#userIds.set(account, userId)
    return this.#send({ type: 'OPEN_ACCOUNT', id: this.#nextId(), account, userId, amount: cash })
  }

  #createMarket(code: MarketCode, escrow: AccountNumber): Promise<void> {
    const title = `Market ${code}`
    const texts = { title, slug: `market-${code}`, description: 'For measuring.', sot: 'bench' }
    const times = { startAt: this.#now as TimeMs, endAt: (this.#now + DAY_MS) as TimeMs }
    const bets = { minBet: amount(0), maxBet: amount(2 ** 52), capacity: lots(2e11) }
    return this.#send({
      type: 'CREATE_MARKET',
      id: this.#nextId(),
      terms: { code, payout: PAYOUT, tickSize: ticks(1), ...bets, ...times, escrow },
      listing: { id: `bench${code}`, ...texts, createdAt: this.#now as TimeMs },
      status: 'open',
    })
  }

  #place(
    account: AccountNumber,
    side: Side,
    yesPrice: number,
    contracts: number,
    market = CROWDED,
    { selfTrade = 'off', makersMax }: Sweeping = {},
  ): Promise<void> {
    const number = (this.#numbers.get(market) ?? 0) + 1
    this.#numbers.set(market, number)
    const quantity = lots(Math.round(contracts * 100))
    const price = ticks(yesPrice)
    const hold = times(ticks(side === 'yes' ? price : PAYOUT - price), quantity)
    const order: CreateOrder = {
      type: 'CREATE_ORDER',
      id: this.#nextId(),
      data: {
        market: String(market),
        price: yesPrice / 100,
        quantity: contracts,
        side,
        userId: this.#userIds.get(account) ?? '',
      },
      market,
      number: number as OrderNumber,
      suffix: SUFFIX,
      account,
      orderType: 'LO',
      selfTrade,
      outcome: 'yes',
      asked: undefined,
      admission: {
        ...{ price, quantity, covered: lots(0), hold },
        ...(makersMax !== undefined && { makersMax }),
      },
    }
    return this.#send(order)
  }

  async #send(command: Command): Promise<void> {
    this.#waiting.push(command)
    if (this.#waiting.length >= BATCH_LENGTH) await this.#flush()
  }

  async #flush(): Promise<void> {
    if (this.#waiting.length === 0) return
    const commands = writeCommands(this.#waiting)
    this.#waiting = []
    this.#shard.runner.run(this.#now as TimeMs, commands)
    this.#now++
  }

  #nextId(): string {
    this.#ids++
    return `00000000-0000-4000-8000-${String(this.#ids).padStart(12, '0')}`
  }
}
