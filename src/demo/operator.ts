import type { Balance } from '../core/ledger.js'
import type { Amount, TimeMs } from '../core/units.js'
import { amount, UNITS_PER_RUPEE } from '../core/units.js'
import type { Exchange } from '../exchange/exchange.js'
import type { Board, DemoEvent } from './board.js'
import { BOTS } from './bots.js'
import { HOUR_MS, MINUTE_MS } from './durations.js'
import { SERIES } from './series.js'

/** How long an event stays closed until its outcome is told. */
const RESOLVE_AFTER_MS = 5 * MINUTE_MS
/** No event is opened for less. */
const LENGTH_MIN_MS = HOUR_MS
/** Where the next ends of a series have all been taken by others, the round after tries again. */
const ENDS_TRIED = 5
const rupees = (value: number) => amount(value * UNITS_PER_RUPEE)
/** A bot with less at hand is given more, one with more gives some away. */
const POOR = rupees(200_000)
const USUAL = rupees(1_000_000)
const RICH = rupees(4_000_000)

/** Does what an operator does: tells outcomes, opens the next events, keeps the bots in funds. */
export class Operator {
  readonly #exchange: Exchange
  readonly #board: Board

  constructor(exchange: Exchange, board: Board) {
    this.#exchange = exchange
    this.#board = board
  }

  /** Tells the outcomes of events that ended a while ago: what the last price said, or that it is void. */
  async conclude(now: TimeMs): Promise<void> {
    const due = [...this.#board.all()].filter(event => isDue(event, now))
    for (const { market, question } of due) {
      const { lastPrice } = market.progress
      const isVoid = question.isCalledOff || lastPrice === undefined
      const outcome = isVoid ? 'void' : lastPrice * 2 >= market.terms.payout ? 'yes' : 'no'
      const note = `Demo: ${isVoid ? 'called off' : 'the outcome is made up'}`
      await this.#exchange.resolveMarket(market, { outcome, note })
    }
  }

  /** Opens the next event of each series that has none. */
  async openNext(now: TimeMs): Promise<void> {
    const running = new Set([...this.#board.all()].filter(isRunning).map(({ series }) => series))
    const startAt = (now - (now % MINUTE_MS)) as TimeMs
    for (const series of SERIES) {
      if (running.has(series)) continue
      let endAt = (now + LENGTH_MIN_MS) as TimeMs
      for (let tried = 0; tried < ENDS_TRIED; tried++) {
        endAt = series.nextEnd(endAt)
        if (await this.#board.add(series, startAt, endAt)) break
      }
    }
  }

  /** Brings money in for the bots that have lost theirs, and out from those that have won it. */
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

/** What brings a bot back to its usual means, in whole rupees; nothing where they are near enough. */
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
