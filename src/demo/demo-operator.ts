import type { Balance } from '../core/ledger.js'
import type { Amount, TimeMs } from '../core/units.js'
import { amount, UNITS_PER_RUPEE } from '../core/units.js'
import type { Exchange } from '../exchange/exchange.js'
import type { DeskMarket } from '../exchange/markets/desk-market.js'
import type { Board, DemoEvent } from './board.js'
import { BOTS } from './bots.js'
import { CUP } from './cup.js'
import { HOUR_MS, MINUTE_MS } from './durations.js'
import { SERIES } from './series.js'

/** Time from an event's close until it is resolved. */
const RESOLVE_AFTER_MS = 5 * MINUTE_MS
/** Shortest event worth opening. */
const LENGTH_MIN_MS = HOUR_MS
/** Ends tried per round; if all are taken by others, the next round tries again. */
const ENDS_TRIED = 5
const NOTE = 'Demo: the outcome is made up'
const rupees = (value: number) => amount(value * UNITS_PER_RUPEE)
/** Bots with less than this receive money; others with too much give some back. */
const POOR = rupees(200_000)
const USUAL = rupees(1_000_000)
const RICH = rupees(4_000_000)

/** Does an operator's work: resolves events, opens the next ones, keeps the bots in funds. */
export class Operator {
  readonly #exchange: Exchange
  readonly #board: Board

  constructor(exchange: Exchange, board: Board) {
    this.#exchange = exchange
    this.#board = board
  }

  /** Resolves events that ended a while ago: by their last price, or as void. */
  async conclude(now: TimeMs): Promise<void> {
    const due = [...this.#board.all()].filter(event => isDue(event, now))
    await this.#concludeCups(due)
    for (const event of due) {
      if (this.#board.cupOf(event) !== undefined) continue
      const { market, question } = event
      const { lastPrice } = market.progress
      const isVoid = question.isCalledOff || lastPrice === undefined
      const outcome = isVoid ? 'void' : lastPrice * 2 >= market.terms.payout ? 'yes' : 'no'
      const note = isVoid ? 'Demo: called off' : NOTE
      await this.#exchange.resolveMarket(market, { outcome, note })
    }
  }

  /** Lets the outcome with the highest last price win each cup. */
  async #concludeCups(due: readonly DemoEvent[]): Promise<void> {
    for (const cup of new Set(due.map(event => this.#board.cupOf(event)))) {
      if (cup === undefined || cup.live.some(({ pendingStatus }) => pendingStatus !== 'closed')) continue
      const priceOf = ({ progress }: DeskMarket) => progress.lastPrice ?? 0
      const [winner] = [...cup.live].sort((a, b) => priceOf(b) - priceOf(a))
      if (winner !== undefined) await this.#exchange.groups.resolve(cup, winner, { note: NOTE })
    }
  }

  /** Opens the next event of each series that has none, and the next cup. */
  async openNext(now: TimeMs): Promise<void> {
    const running = new Set([...this.#board.all()].filter(isRunning).map(({ series }) => series))
    const startAt = (now - (now % MINUTE_MS)) as TimeMs
    for (const series of [...SERIES, CUP]) {
      if (running.has(series)) continue
      let endAt = (now + LENGTH_MIN_MS) as TimeMs
      for (let tried = 0; tried < ENDS_TRIED; tried++) {
        endAt = series.nextEnd(endAt)
        const isAdded =
          series === CUP ? this.#board.addCup(startAt, endAt) : this.#board.add(series, startAt, endAt)
        if (await isAdded) break
      }
    }
  }

  /** Deposits money for bots that have lost theirs, and withdraws from those that have won it. */
  async fund(now: TimeMs): Promise<void> {
    for (const { userId } of BOTS) {
      const balance = this.#exchange.balance(userId)
      if (balance === undefined) continue
      const txnId = `demo-${userId}-${now}`
      const change = changeFor(balance)
      if (change > 0) await this.#exchange.transfer({ userId, direction: 'deposit', amount: change, txnId })
      if (change < 0) {
        await this.#exchange.transfer({ userId, direction: 'withdrawal', amount: amount(-change), txnId })
      }
    }
  }
}

/** Returns the amount that restores a bot's usual funds, in whole rupees; 0 if they are close enough. */
function changeFor({ available }: Balance): Amount {
  if (available >= POOR && available <= RICH) return amount(0)
  return amount(Math.trunc((USUAL - available) / UNITS_PER_RUPEE) * UNITS_PER_RUPEE)
}

function isDue({ market, question }: DemoEvent, now: TimeMs): boolean {
  const { pendingStatus, terms } = market
  return pendingStatus === 'closed' && (question.isCalledOff || now >= terms.endAt + RESOLVE_AFTER_MS)
}

function isRunning({ market }: DemoEvent): boolean {
  const { pendingStatus } = market
  return pendingStatus === 'scheduled' || pendingStatus === 'open' || pendingStatus === 'halted'
}
