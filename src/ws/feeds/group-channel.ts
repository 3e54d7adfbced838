import type { OutcomePrices } from '../../api/channels/group-messages.js'
import { groupSnapshotText, pricesText } from '../../api/channels/group-messages.js'
import { isOver } from '../../core/market.js'
import type { MarketCode, TimeMs } from '../../core/units.js'
import type { DeskGroup } from '../../exchange/groups/desk-group.js'
import type { DeskMarket } from '../../exchange/markets/desk-market.js'
import { EncodedMessages } from '../transports/encoded-messages.js'
import type { FeedChannel } from './channel.js'
import type { ReplayRoom } from './kept-replays.js'
import { KeptReplays } from './kept-replays.js'

interface Outcome {
  readonly market: DeskMarket
  prices: OutcomePrices
  /** The number of the last message of its own channel that is counted here. */
  seq: number
  /** The number of this channel when its prices last changed. */
  changedSeq: number
}

/**
 * The best and last prices of all outcomes of a group. Its numbers are the sums of those of the outcomes' own
 * channels, so that they rise across restarts; a batch that changes no price here brings no message. It keeps
 * no messages: whatever place a reader has, the next message is the outcomes that have changed since.
 */
export class GroupChannel implements FeedChannel {
  readonly code: MarketCode
  readonly #outcomes: ReadonlyMap<MarketCode, Outcome>
  /** The earliest place from which changes are known. */
  readonly #oldest: number
  #head: number
  /** The sum of all messages of the outcomes' channels. */
  #sum: number
  #changedAt: TimeMs
  readonly #replays: KeptReplays

  /** @param room shared by all channels */
  constructor(group: DeskGroup, at: TimeMs, room: ReplayRoom) {
    this.#replays = new KeptReplays(room)
    this.code = group.terms.code
    this.#sum = group.markets.reduce((sum, { progress }) => sum + progress.seq, 0)
    this.#head = this.#sum
    this.#oldest = this.#sum
    this.#changedAt = at
    this.#outcomes = new Map(
      group.markets.map(market => [
        market.terms.code,
        { market, prices: pricesOf(market), seq: market.progress.seq, changedSeq: this.#sum },
      ]),
    )
  }

  get head(): number {
    return this.#head
  }

  get isOver(): boolean {
    for (const { market } of this.#outcomes.values()) if (!isOver(market.progress.status)) return false
    return true
  }

  /** Takes note of a batch of an outcome; returns true if its prices have changed. */
  note(market: DeskMarket, at: TimeMs): boolean {
    const outcome = this.#outcomes.get(market.terms.code)
    if (outcome === undefined) return false
    this.#sum += market.progress.seq - outcome.seq
    outcome.seq = market.progress.seq
    const prices = pricesOf(market)
    if (isSame(prices, outcome.prices)) return false
    outcome.prices = prices
    outcome.changedSeq = this.#sum
    this.#head = this.#sum
    this.#changedAt = at
    this.#replays.clear()
    return true
  }

  reaches(seq: number): boolean {
    return seq >= this.#oldest && seq <= this.#head
  }

  messagesSince(seq: number): EncodedMessages {
    return this.#replays.after(seq, () => this.#changedSince(seq))
  }

  forget(): void {
    this.#replays.clear()
  }

  #changedSince(seq: number): EncodedMessages {
    const changed = [...this.#outcomes.values()].filter(({ changedSeq }) => changedSeq > seq)
    const chain = { seq: this.#head, previousSeq: seq, at: this.#changedAt }
    return new EncodedMessages([
      pricesText(
        this.code,
        changed.map(({ prices }) => prices),
        chain,
      ),
    ])
  }

  snapshot(at: TimeMs): EncodedMessages {
    const prices = Array.from(this.#outcomes.values(), outcome => outcome.prices)
    return new EncodedMessages([groupSnapshotText(this.code, prices, this.#head, at)])
  }
}

function pricesOf({ terms, progress, ladder }: DeskMarket): OutcomePrices {
  return {
    code: terms.code,
    status: progress.status,
    outcome: progress.outcome,
    bestBid: ladder.bids(1)[0]?.[0],
    bestAsk: ladder.asks(1)[0]?.[0],
    lastPrice: progress.lastPrice,
  }
}

function isSame(a: OutcomePrices, b: OutcomePrices): boolean {
  return (
    a.status === b.status &&
    a.outcome === b.outcome &&
    a.bestBid === b.bestBid &&
    a.bestAsk === b.bestAsk &&
    a.lastPrice === b.lastPrice
  )
}
