import type { Replay, ReplayedMarket } from '../shadow/replay.js'
import type { ExpectedRows } from './expected-rows.js'
import { orNone } from './row-lines.js'

/** Writes the rows that hold the state at the journal's end: money, contracts, markets, open orders. */
export function writeStateRows(replay: Replay, rows: ExpectedRows): void {
  for (const [number, account] of replay.accounts) {
    const { owner, cash, held, lastEntry, lastMarket, lastNumber } = account
    const { userSeq, last } = replay.updates.of(number)
    const ends = [lastEntry, lastMarket, lastNumber, last].map(orNone)
    rows.keyed('accounts', String(number), [owner, cash, held, ...ends, userSeq])
  }
  for (const [account, { endsAt, markets, fired }] of replay.notes.timers) {
    const ofMarkets = markets === undefined ? undefined : JSON.stringify(markets)
    rows.keyed('timers', String(account), [orNone(endsAt), orNone(ofMarkets), JSON.stringify(fired)])
  }
  for (const season of replay.notes.seasons.values()) {
    const { number, name, startsAt, endsAt, stake, begunAt, turnedAt, isDropped } = season
    const turn = [orNone(begunAt), orNone(turnedAt)]
    rows.keyed('seasons', String(number), [name, startsAt, endsAt, stake, ...turn, isDropped ? 1 : 0])
  }
  for (const group of replay.groups.values()) group.writeRows(rows)
  for (const [code, market] of replay.markets) {
    rows.keyed('markets', String(code), marketCells(market))
    for (const [account, position] of market.followed.positions) {
      const { yes, no, yesLocked, noLocked, paid } = position
      rows.keyed('positions', `${code} ${account}`, [yes, no, yesLocked, noLocked, paid])
    }
    for (const [account, house] of market.followed.houses) {
      rows.keyed('house_quotes', String(account), house.cells)
    }
    for (const [day, fees] of market.followed.fees.days) rows.keyed('fee_days', `${day} ${code}`, [fees])
    for (const order of market.followed.orders.values()) rows.order(code, order)
  }
}

/** Returns the number of users who have ever traded: all but the house. */
function tradersOf({ positions, houses }: ReplayedMarket['followed']): number {
  return [...positions.keys()].filter(account => !houses.has(account)).length
}

function marketCells({ followed, change, resolved }: ReplayedMarket): (string | number)[] {
  const { payout, tickSize, minBet, maxBet, capacity, startAt, endAt, escrow } = followed.terms
  const { feeTaker, feeMaker, group, pool } = followed.terms
  const { id, slug, title, description, sot, createdAt, category, sourceUrl, label } = followed.listing
  const { status, outcome, seq, trades, lastPrice, volume, openPairs, fees } = change
  return [
    ...[id, slug, title, description, sot, createdAt, startAt, endAt],
    ...[minBet, maxBet, capacity, payout, tickSize, escrow],
    ...[status, orNone(outcome), seq, trades, orNone(lastPrice), volume, openPairs],
    ...[orNone(resolved?.sourceUrl), orNone(resolved?.note), orNone(resolved?.at)],
    ...[orNone(category), orNone(sourceUrl), tradersOf(followed)],
    ...[orNone(feeTaker), orNone(feeMaker), fees],
    ...[orNone(group), orNone(pool), orNone(label)],
  ]
}
