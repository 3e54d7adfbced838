import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import type { EventAnswer } from '../../api/events/event-answer.js'
import type { EventListQuery, EventSort } from '../../api/events/event-query.js'
import { eventListQuery } from '../../api/events/event-query.js'
import { eventView, trendView } from '../../api/events/event-view.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { MarketStatus } from '../../core/market.js'
import { isOver, keepsOrders, MARKET_STATUSES } from '../../core/market.js'
import type { MarketCode } from '../../core/units.js'
import type { Exchange } from '../../exchange/exchange.js'
import { TRAIL_STEP_MS } from '../../exchange/markets/day-trail.js'
import type { DeskMarket } from '../../exchange/markets/desk-market.js'
import type { EndedFilter } from '../../exchange/markets/ended-markets.js'
import type { Placed } from '../event-order.js'
import { FirstEvents, ranked, rankOf } from '../event-order.js'
import { folded } from '../../store/folded.js'
import type { EventPages, EventRows, Shown } from '../event-pages.js'
import type { EventRanks } from '../event-ranks.js'
import { unlessBusy } from '../../doors/capacity-refusal.js'
import type { Answer } from '../middleware/envelope.js'
import { envelopeText, outboxFull } from '../middleware/envelope.js'
import type { ListRows } from '../middleware/list-page.js'
import { answerPage, writePage } from '../middleware/list-page.js'
import { hasRoom } from '../middleware/outbox.js'
import { askedPage, queryOf } from '../middleware/query.js'
import type { Call } from '../routing/handle.js'

interface EventListRequest extends EventListQuery {
  readonly limit: number
  /** The last event of the page before; 0 on the first page. */
  readonly after: number
}

/** The most events that a list from memory looks at for a page: some milliseconds. */
const LISTED_FROM_MAX = 20_000
/** The statuses that no settled or voided event has. */
const LIVE: readonly string[] = ['trading', ...MARKET_STATUSES.filter(status => !isOver(status))]

/** The exchange, and what is kept for lists of its events. */
export interface EventLists {
  readonly exchange: Exchange
  readonly pages: EventPages
  readonly ranks: EventRanks
}

/** Returns an event as clients see it now. */
export function shownEvent(exchange: Exchange, market: DeskMarket): EventAnswer {
  return eventView(market, exchange.tradersOf(market.terms.code), exchange.now())
}

/** Lists events: filtered, by code or ranked (specification 11). */
export function listEvents({ exchange, pages, ranks }: EventLists, call: Call): Answer | Promise<Response> {
  const query = queryOf(call, eventListQuery)
  const { q = '', description, trend, sort, status, sot, category, event_ids } = query
  const { limit, after = 0 } = askedPage(call, codeOf)
  const asked = { ...query, ...(category !== undefined && { category: folded(category) }), limit, after }
  if (sort !== undefined && after > 0 && exchange.market(after as MarketCode) === undefined) {
    throw new ApiError(422, REFUSED.cursorUnknown)
  }
  const isKept = q.trim() === '' && event_ids === undefined
  const step = Math.floor(exchange.now() / TRAIL_STEP_MS)
  const key = JSON.stringify([limit, after, status, description, trend, sort, step, sot, category])
  const known = isKept ? pages.find(key, eventsFrom(exchange, ranks, asked)) : undefined
  if (known !== undefined) return envelopeText(call, 200, known, {})
  if (!hasRoom(call.c)) throw outboxFull()
  const page: Omit<ListRows<DeskMarket>, 'rows'> = {
    message: DONE.eventsFetched,
    field: 'events',
    limit,
    view: market => ({
      ...shownEvent(exchange, market),
      ...(description === 'no' && { description: undefined }),
      ...(trend === 'yes' && { trend: trendView(market, exchange.now()) }),
    }),
    cursorOf: ({ terms }) => String(terms.code),
  }
  if (isKept) return keptPage(call, pages, key, page, () => eventsFrom(exchange, ranks, asked))
  if (q.trim() === '') return answerPage(call, { ...page, rows: eventsNamed(exchange, asked) })
  return eventsFound(exchange, asked).then(found => answerPage(call, { ...page, ...found }))
}

/** Makes a page of events and keeps it. */
async function keptPage(
  call: Call,
  pages: EventPages,
  key: string,
  page: Omit<ListRows<DeskMarket>, 'rows'>,
  read: () => EventRows,
): Promise<Response> {
  let listed: EventRows = { rows: [], next: null }
  const shown: Shown[] = []
  const view = (market: DeskMarket) => {
    shown.push(pages.note(market))
    return page.view(market)
  }
  const text = await writePage(call, () => {
    listed = read()
    return { ...page, ...listed, view }
  })
  return envelopeText(call, 200, pages.keep(key, listed, shown, text), {})
}

/** Returns the events of a page, and one more if the list continues. It looks at a bounded number. */
function eventsFrom({ directory }: Exchange, ranks: EventRanks, asked: EventListRequest): EventRows {
  const { limit, sort, status, after } = asked
  const isLive = status !== undefined && LIVE.includes(status)
  const markets =
    sort === undefined
      ? isLive
        ? directory.live(after)
        : directory.listed(after, endedFilter(asked))
      : ranks.listed(sort, directory.get(after as MarketCode), isLive, endedFilter(asked))
  const rows: DeskMarket[] = []
  const isListed = listFilter(asked)
  let lookedAt = 0
  for (const one of markets) {
    const market = typeof one === 'number' ? undefined : one
    if (market !== undefined && isListed(market) && rows.push(market) > limit) break
    if (++lookedAt === LISTED_FROM_MAX) {
      return { rows, next: String(typeof one === 'number' ? one : one.terms.code) }
    }
  }
  return { rows, next: null }
}

/** Returns the events that a request names and a page lists. */
function eventsNamed(exchange: Exchange, asked: EventListRequest): readonly DeskMarket[] {
  const { event_ids = [], sort, after } = asked
  const named = [...new Set(event_ids)]
    .sort((a, b) => a - b)
    .filter(code => sort !== undefined || code > after)
    .map(code => exchange.market(code as MarketCode))
    .filter(market => market !== undefined)
    .filter(listFilter(asked))
  if (sort === undefined) return named
  return firstOf(
    named.map(({ terms }) => terms.code),
    exchange,
    asked,
    sort,
  )
}

/** Returns the events found by their titles; sorted, the first of the newest that are found. */
async function eventsFound(exchange: Exchange, asked: EventListRequest): Promise<EventRows> {
  const { q = '', after, event_ids, sort, limit } = asked
  const from = sort === undefined ? { after } : 'newest'
  const { codes, searchedTo } = unlessBusy(await exchange.archive.search(q, from))
  const { directory } = exchange
  const isListed = listFilter(asked)
  const mayBe = directory.ended.mayBe(endedFilter(asked))
  const isFound = (code: MarketCode) => {
    if (event_ids !== undefined && !event_ids.includes(code)) return false
    const place = directory.ended.placeOf(code)
    if (place !== undefined) return mayBe(place)
    const market = directory.inMemory(code)
    return market !== undefined && isListed(market)
  }
  const found = codes.filter(isFound)
  if (sort !== undefined) return { rows: firstOf(found, exchange, asked, sort), next: null }
  const rows: DeskMarket[] = []
  for (const code of found) {
    const market = exchange.market(code)
    if (market !== undefined && isListed(market) && rows.push(market) > limit) break
  }
  return { rows, next: searchedTo === undefined ? null : String(searchedTo) }
}

/** Returns the first of some events in the order of a sort, behind the cursor. */
function firstOf(
  codes: readonly MarketCode[],
  exchange: Exchange,
  asked: EventListRequest,
  sort: EventSort,
): readonly DeskMarket[] {
  const { after, limit } = asked
  const { directory } = exchange
  const rank = rankOf(sort, exchange.now())
  const placeOf = (code: MarketCode): Placed | undefined => {
    const over = directory.ended.placeOf(code)
    const market = directory.inMemory(code)
    if (over !== undefined && market === undefined) return { code, rank: directory.ended.rankAt(over, sort) }
    return market && ranked(market, rank)
  }
  const isListed = listFilter(asked)
  const first = new FirstEvents(placeOf(after as MarketCode), limit + 1)
  for (const code of codes) {
    const place = placeOf(code)
    if (place !== undefined) first.add(place)
  }
  return first
    .take()
    .map(code => directory.get(code))
    .filter(market => market !== undefined && isListed(market)) as readonly DeskMarket[]
}

/** Returns what is known of a request before an event that is over is read. */
function endedFilter({ status, sot, category }: EventListRequest): EndedFilter {
  const statuses = MARKET_STATUSES.filter(one => hasStatus(one, status))
  return { sot, category, statuses: status === undefined ? undefined : statuses }
}

/** Returns true if a list of a status has the events of another one. */
function hasStatus(is: MarketStatus, asked: EventListRequest['status']): boolean {
  if (asked === 'trading' || asked === 'ended') return keepsOrders(is) === (asked === 'trading')
  return is === asked
}

/** Returns the test of whether a list has an event. Folds each spelling of a category once. */
function listFilter({ status, sot, category }: EventListRequest): (market: DeskMarket) => boolean {
  const spellings = new Map<string, boolean>()
  const isOfCategory = (spelling = '') => {
    let isSame = spellings.get(spelling)
    if (isSame === undefined) {
      isSame = folded(spelling) === category
      spellings.set(spelling, isSame)
    }
    return isSame
  }
  return ({ listing, progress }) => {
    if (sot !== undefined && listing.sot !== sot) return false
    if (category !== undefined && !isOfCategory(listing.category)) return false
    return status === undefined || hasStatus(progress.status, status)
  }
}

/** Returns the code in a cursor; unless the list is ranked it need not exist: the list continues after it. */
function codeOf(cursor: string): number | undefined {
  return /^\d{1,7}$/.test(cursor) ? Number(cursor) : undefined
}
