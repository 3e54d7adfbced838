import type { Context } from 'hono'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import type { EventAnswer } from '../../api/events/event-answer.js'
import type { EventListQuery } from '../../api/events/event-query.js'
import { eventListQuery } from '../../api/events/event-query.js'
import { eventView } from '../../api/events/event-view.js'
import { trendView } from '../../api/events/trend-view.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { keepsOrders } from '../../core/market.js'
import type { MarketCode } from '../../core/units.js'
import type { Exchange } from '../../exchange/exchange.js'
import { folded } from '../../exchange/markets/categories.js'
import { TRAIL_STEP_MS } from '../../exchange/markets/day-trail.js'
import type { DeskMarket } from '../../exchange/markets/desk-market.js'
import { FirstEvents, rankOf } from '../event-order.js'
import type { EventPages, Shown } from '../event-pages.js'
import { unlessBusy } from '../middleware/capacity-refusal.js'
import type { Answer } from '../middleware/envelope.js'
import { envelopeText, outboxFull } from '../middleware/envelope.js'
import type { ListRows } from '../middleware/list-page.js'
import { answerPage, writePage } from '../middleware/list-page.js'
import { hasRoom } from '../middleware/outbox.js'
import { askedPage, queryOf } from '../middleware/query.js'

interface Asked extends EventListQuery {
  readonly limit: number
  /** The last event of the page before; 0 on the first page. */
  readonly after: number
}

/** The events of a page, and where the next one begins if not all were looked at. */
type FoundEvents = Pick<ListRows<DeskMarket>, 'rows' | 'next'>

/** Returns an event as clients see it now. */
export function shownEvent(exchange: Exchange, market: DeskMarket): EventAnswer {
  return eventView(market, exchange.tradersOf(market.terms.code), exchange.now())
}

/** Lists events: filtered, by code or ranked (specification 11). */
export function listEvents(exchange: Exchange, pages: EventPages, c: Context): Answer | Promise<Response> {
  const query = queryOf(c, eventListQuery)
  const { q = '', description, trend, sort, status, sot, category, event_ids } = query
  const { limit, after = 0 } = askedPage(c, codeOf)
  const asked = { ...query, limit, after }
  if (sort !== undefined && after > 0 && exchange.market(after as MarketCode) === undefined) {
    throw new ApiError(422, REFUSED.cursorUnknown)
  }
  const isKept = q.trim() === '' && event_ids === undefined
  const step = Math.floor(exchange.now() / TRAIL_STEP_MS)
  const key = JSON.stringify([limit, after, status, description, trend, sort, step, sot, category])
  const known = isKept ? pages.find(key, eventsFrom(exchange, asked)) : undefined
  if (known !== undefined) return envelopeText(c, 200, known, {})
  if (!hasRoom(c)) throw outboxFull()
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
  if (isKept) return keptPage(c, pages, key, page, () => eventsFrom(exchange, asked))
  if (q.trim() === '') return answerPage(c, { ...page, rows: eventsFrom(exchange, asked) })
  return foundEvents(exchange, asked).then(found => answerPage(c, { ...page, ...found }))
}

/** Makes a page of events and keeps it. */
async function keptPage(
  c: Context,
  pages: EventPages,
  key: string,
  page: Omit<ListRows<DeskMarket>, 'rows'>,
  read: () => readonly DeskMarket[],
): Promise<Response> {
  let rows: readonly DeskMarket[] = []
  const shown: Shown[] = []
  const view = (market: DeskMarket) => {
    shown.push(pages.note(market))
    return page.view(market)
  }
  const text = await writePage(() => {
    rows = read()
    return { ...page, rows, view }
  })
  return envelopeText(c, 200, pages.keep(key, rows, shown, text), {})
}

/** Returns the events of a page, and one more if the list continues. */
function eventsFrom(exchange: Exchange, asked: Asked): readonly DeskMarket[] {
  const { limit, event_ids } = asked
  const markets = event_ids === undefined ? exchange.markets() : eventsNamed(exchange, event_ids)
  const ranked = firstEvents(exchange, asked)
  const events: DeskMarket[] = []
  for (const market of markets) {
    if (!isListed(market, asked)) continue
    if (ranked !== undefined) ranked.add(market)
    else if (events.push(market) > limit) break
  }
  return ranked?.take() ?? events
}

/** Returns the events with these codes that exist, by code. */
function eventsNamed(exchange: Exchange, codes: readonly number[]): readonly DeskMarket[] {
  return [...new Set(codes)]
    .sort((a, b) => a - b)
    .map(code => exchange.market(code as MarketCode))
    .filter(market => market !== undefined)
}

/** Returns the events found by their titles; ranked, the first of the newest that are found. */
async function foundEvents(exchange: Exchange, asked: Asked): Promise<FoundEvents> {
  const { q = '', after, event_ids, sort } = asked
  const from = sort === undefined ? { after } : 'newest'
  const { markets, searchedTo } = unlessBusy(await exchange.archive.search(q, from))
  const rows = markets.filter(
    market => (event_ids === undefined || event_ids.includes(market.terms.code)) && isListed(market, asked),
  )
  const ranked = firstEvents(exchange, asked)
  if (ranked === undefined) return { rows, ...(searchedTo !== undefined && { next: String(searchedTo) }) }
  for (const market of rows) ranked.add(market)
  return { rows: ranked.take() }
}

function firstEvents(exchange: Exchange, { sort, after, limit }: Asked): FirstEvents | undefined {
  if (sort === undefined) return undefined
  return new FirstEvents(rankOf(sort, exchange.now()), exchange.market(after as MarketCode), limit + 1)
}

function isListed({ terms, listing, progress }: DeskMarket, asked: Asked): boolean {
  const { status, sot, category, sort, after } = asked
  if (sort === undefined && terms.code <= after) return false
  if (sot !== undefined && listing.sot !== sot) return false
  if (category !== undefined && folded(listing.category ?? '') !== folded(category)) return false
  if (status === undefined) return true
  if (status === 'trading' || status === 'ended') {
    return keepsOrders(progress.status) === (status === 'trading')
  }
  return progress.status === status
}

/** Returns the code in a cursor; unless the list is ranked it need not exist: the list continues after it. */
function codeOf(cursor: string): number | undefined {
  return /^\d{1,7}$/.test(cursor) ? Number(cursor) : undefined
}
