import { useRef } from 'preact/hooks'
import type { HouseRung, OrderBook } from '../../../client/shapes.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/market.js'
import type { Book, LadderRoom, LadderRow, LadderRows, OwnOrder } from './ladder-rows.js'
import { ladderRoom, ladderRows } from './ladder-rows.js'

const ROWS_MAX = 8
/** The rows beside the spread that are shown where there is little room. */
const NEAR_ROWS = 5

interface LadderProps {
  readonly book: OrderBook | undefined
  readonly own: readonly OwnOrder[]
  readonly house?: readonly HouseRung[] | undefined
  /** Called with the selected YES price, in rupees. */
  readonly onPick: (yesPrice: number) => void
}

/** The order book around the spread: NO bids above it, YES bids below. */
export function Ladder({ book, own, house, onPick }: LadderProps) {
  const room = useRoom(book ?? NO_BOOK, book?.event_id)
  if (book !== undefined && book.bids.length + book.asks.length === 0)
    return <p class="empty">{t.noOrdersYet}</p>
  const rows = ladderRows(book ?? NO_BOOK, own, room, house)
  const row = (level: LadderRow | undefined, side: 'yes' | 'no', index: number) => (
    <Row
      key={`${side}${index}`}
      level={level}
      side={side}
      isFar={(side === 'no' ? room.asks - 1 - index : index) >= NEAR_ROWS}
      onPick={onPick}
    />
  )
  return (
    <table class="ladder" onKeyDown={stepThroughPrices}>
      <caption class="unseen">{t.ladderCaption}</caption>
      <thead>
        <tr>
          <th scope="col">{t.yesPrice}</th>
          <th scope="col">{t.contracts}</th>
          <th scope="col">{t.total}</th>
        </tr>
      </thead>
      <tbody>
        {rows.asks.map((level, index) => row(level, 'no', index))}
        <SideName side="no" />
      </tbody>
      <tbody>
        <tr class="ladder-middle">
          <td colSpan={3}>{middleText(book, rows)}</td>
        </tr>
      </tbody>
      <tbody>
        <SideName side="yes" />
        {rows.bids.map((level, index) => row(level, 'yes', index))}
      </tbody>
    </table>
  )
}

const NO_BOOK: Book = { bids: [], asks: [] }

/** The rows of a book, as many as its levels were at most since its page was opened. */
function useRoom(book: Book, code: string | undefined): LadderRoom {
  const had = useRef<{ readonly code: string | undefined; readonly room: LadderRoom } | undefined>(undefined)
  const before = had.current?.code === code ? had.current?.room : undefined
  const room = ladderRoom(book, before ?? { asks: 0, bids: 0 }, ROWS_MAX)
  had.current = { code, room }
  return room
}

/** Names a side beside the spread, where it stays when levels appear and vanish. */
function SideName({ side }: Pick<RowProps, 'side'>) {
  return (
    <tr>
      <th scope="rowgroup" colSpan={3} class={`ladder-side ${side}`}>
        {t.bids[side]}
      </th>
    </tr>
  )
}

function middleText(book: OrderBook | undefined, { spread }: LadderRows): string {
  if (book === undefined) return t.loadingBook
  const { last_price: last } = book
  const lastText = last === null ? t.noTradesYet : t.lastPrice(rupeesText(last))
  return spread === undefined ? lastText : `${lastText} · ${t.spread(rupeesText(spread))}`
}

/** The arrow keys move among the prices. */
function stepThroughPrices(event: KeyboardEvent): void {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  if (step === undefined) return
  const prices = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>('.ladder-price')]
  const next = prices[prices.indexOf(event.target as HTMLElement) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

interface RowProps {
  readonly level: LadderRow | undefined
  readonly side: 'yes' | 'no'
  readonly isFar: boolean
  readonly onPick: (yesPrice: number) => void
}

function Row({ level, side, isFar, onPick }: RowProps) {
  const far = isFar ? ' ladder-far' : ''
  if (level === undefined) {
    return (
      <tr class={`ladder-row${far}`}>
        <td />
        <td />
        <td />
      </tr>
    )
  }
  const { price, quantity, own, house, share, total } = level
  const houseWidth = `${((100 * share * house) / quantity).toFixed(1)}%`
  return (
    // A click anywhere in the row does what its button does; the keyboard has the button.
    <tr class={`ladder-row ladder-${side}${far}`} onClick={() => onPick(price)}>
      <td>
        <button
          type="button"
          class="ladder-price"
          // It begins with the words that are to be seen, which voice control listens for.
          aria-label={t.usePrice(rupeesText(price), t.bids[side], countText(quantity))}
        >
          {rupeesText(price)}
        </button>
      </td>
      <td>
        <span class="ladder-quantity">
          <span class="ladder-bar" style={{ transform: `scaleX(${share.toFixed(3)})` }} />
          {house > 0 && <span class="ladder-house" style={{ width: houseWidth }} />}
          {house > 0 && (
            <span class="ladder-by-house" title={t.houseOrders(countText(house))}>
              {t.house}
            </span>
          )}
          {own > 0 && (
            <span class="ladder-own" title={t.yourOrders(countText(own))}>
              {t.yours(countText(own))}
            </span>
          )}
          <span>{countText(quantity)}</span>
        </span>
      </td>
      <td class="ladder-total">{countText(total)}</td>
    </tr>
  )
}
