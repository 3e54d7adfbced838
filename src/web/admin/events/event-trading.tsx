import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Candle, Market, OrderBook, PreviewedSettlement } from '../../../client/client.js'
import { nowMs } from '../../kit/browser-clock.js'
import { chanceText, countText, rupeesText } from '../../kit/number-texts.js'
import { sparkPath } from '../../kit/spark-path.js'
import type { Column } from '../../kit/table.jsx'
import { Table } from '../../kit/table.jsx'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-events.js'
import { t as house } from '../../texts/admin-house.js'
import { t as list } from '../../texts/admin-list.js'
import { clients } from '../admin-clients.js'
import { usePolled } from '../polling.js'
import { userAddress } from '../users/user-columns.jsx'

const POLL_PAUSE_MS = 10_000
const HOUR_MS = 3_600_000
const HOURS_MAX = 720
const DAYS_MAX = 900
const LEVELS = 5
const HOLDERS_MAX = 50
const CHART = { width: 640, height: 150 }

interface EventTradingProps {
  readonly market: Market
  /** True for an outcome of an exclusive group, whose holders a preview of its own does not list. */
  readonly isShared: boolean
}

/** The course, the book and the holders of an event. */
export function EventTrading({ market, isShared }: EventTradingProps) {
  return (
    <>
      <div class="two">
        <Course market={market} />
        {market.outcome === null && <Book market={market} />}
      </div>
      {market.outcome === null && market.open_interest > 0 && !isShared && <Holders market={market} />}
    </>
  )
}

/** The last price of YES since the event began. */
function Course({ market }: { readonly market: Market }) {
  const { event_id, start_date, payout, last_price } = market
  const { value: candles } = usePolled(
    () => clients.asking.fetchCandles(event_id, spanOf(start_date)),
    POLL_PAUSE_MS,
    `${event_id} ${last_price}`,
  )
  return (
    <section class="card" aria-labelledby="course-title">
      <h2 id="course-title">{list.course}</h2>
      <div class="card-body">
        {candles?.length === 0 && <p class="faint">{list.noTrades}</p>}
        {candles !== undefined && candles.length > 0 && <CoursePlot candles={candles} payout={payout} />}
      </div>
    </section>
  )
}

/** Hours for a month, days for what is longer. */
function spanOf(start: string): { readonly interval: '1h' | '1d'; readonly from: string } {
  const now = nowMs()
  const isShort = now - Date.parse(start) <= HOURS_MAX * HOUR_MS
  const longest = (isShort ? HOURS_MAX : DAYS_MAX * 24) * HOUR_MS
  const from = new Date(Math.max(now - longest, Date.parse(start))).toISOString()
  return { interval: isShort ? '1h' : '1d', from }
}

interface CoursePlotProps {
  readonly candles: readonly Candle[]
  readonly payout: number
}

function CoursePlot({ candles, payout }: CoursePlotProps) {
  const chances = candles.map(({ close }) => close / payout)
  const ends = [candles[0], candles.at(-1)].map(candle =>
    candle === undefined
      ? ''
      : `${dayTimeText(candle.ts)} · ${chanceText(candle.close / payout, 'headline')}`,
  )
  const { width, height } = CHART
  return (
    <figure>
      <svg
        class="event-course"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={ends.join(', ')}
      >
        <path class="event-course-middle" d={`M0 ${height / 2}H${width}`} />
        <path d={sparkPath(chances, width, height)} />
      </svg>
      <figcaption class="event-course-ends faint">
        {ends.map((end, place) => (
          <span key={place}>{end}</span>
        ))}
      </figcaption>
    </figure>
  )
}

/** The best levels of both sides. */
function Book({ market: { event_id, status } }: { readonly market: Market }) {
  const { value: book } = usePolled(
    () => clients.asking.fetchOrderBook(event_id),
    POLL_PAUSE_MS,
    `${event_id} ${status}`,
  )
  const isEmpty = book !== undefined && book.bids.length + book.asks.length === 0
  return (
    <section class="card" aria-labelledby="book-title">
      <h2 id="book-title">{list.book}</h2>
      {isEmpty && <p class="empty">{list.noOrders}</p>}
      {book !== undefined && !isEmpty && (
        <Table columns={BOOK} rows={levelsOf(book)} keyOf={row => row.place} />
      )}
    </section>
  )
}

interface BookRow {
  readonly place: number
  readonly bid: OrderBook['bids'][number] | undefined
  readonly ask: OrderBook['asks'][number] | undefined
}

function levelsOf({ bids, asks }: OrderBook): BookRow[] {
  const count = Math.min(LEVELS, Math.max(bids.length, asks.length))
  return Array.from({ length: count }, (_, place) => ({ place, bid: bids[place], ask: asks[place] }))
}

const BOOK: readonly Column<BookRow>[] = [
  { ...{ id: 'bids', label: list.bidQuantity, kind: 'number' }, cell: ({ bid }) => bid && countText(bid[1]) },
  { ...{ id: 'bid', label: list.bid, kind: 'number' }, cell: ({ bid }) => bid && rupeesText(bid[0]) },
  { ...{ id: 'ask', label: list.ask, kind: 'number' }, cell: ({ ask }) => ask && rupeesText(ask[0]) },
  { ...{ id: 'asks', label: list.askQuantity, kind: 'number' }, cell: ({ ask }) => ask && countText(ask[1]) },
]

const HOLDERS: readonly Column<PreviewedSettlement>[] = [
  {
    ...{ id: 'user', label: t.settle.user, kind: 'name' },
    cell: ({ userid }) => (userid === '' ? house.holder : <a href={userAddress(userid)}>{userid}</a>),
  },
  { ...{ id: 'yes', label: t.outcome.yes, kind: 'number' }, cell: ({ yes }) => countText(yes) },
  { ...{ id: 'no', label: t.outcome.no, kind: 'number' }, cell: ({ no }) => countText(no) },
  { ...{ id: 'paid', label: t.settle.invested, kind: 'number' }, cell: ({ paid }) => rupeesText(paid) },
]

interface Held {
  readonly rows: readonly PreviewedSettlement[]
  readonly users: number
}

/** The holders of contracts: the payments of a void event name them, with what they have paid. */
function Holders({ market: { event_id, open_interest } }: { readonly market: Market }) {
  const held = useSignal<Held | undefined>(undefined)
  useEffect(() => {
    let isOver = false
    clients.asking.operator.previewSettlement(event_id, { outcome: 'void', limit: HOLDERS_MAX }).then(
      ({ settlements, totals, next_cursor }) => {
        // A void pays some who hold nothing any more.
        const rows = settlements.filter(({ yes, no }) => yes + no > 0)
        const shown = rows.filter(({ userid }) => userid !== '').length
        if (!isOver) held.value = { rows, users: next_cursor === null ? shown : (totals?.users ?? shown) }
      },
      // What is known stays; the next change tries again.
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [event_id, open_interest])
  if (held.value === undefined || held.value.rows.length === 0) return null
  const { rows, users } = held.value
  return (
    <section class="card" aria-labelledby="holders-title">
      <h2 id="holders-title">{list.holders(users)}</h2>
      <Table columns={HOLDERS} rows={rows} keyOf={({ userid, paid }) => `${userid} ${paid}`} />
      {users > rows.length && <p class="card-foot faint">{list.firstHolders(rows.length)}</p>}
    </section>
  )
}
