import type { OrderBook } from '../../../client/shapes.js'
import { chanceText, countText, rupeesText } from '../../kit/number-texts.js'
import type { LadderRow, LadderRows, OwnOrder } from './ladder-rows.js'
import { ladderRows } from './ladder-rows.js'

const ROWS = 8

interface LadderProps {
  readonly book: OrderBook | undefined
  readonly payout: number
  readonly own: readonly OwnOrder[]
  /** Called with the selected YES price, in rupees. */
  readonly onPick: (yesPrice: number) => void
}

/** The order book around the spread: YES bids on the left, NO bids on the right. */
export function Ladder({ book, payout, own, onPick }: LadderProps) {
  const rows = ladderRows(book ?? { bids: [], asks: [] }, own, ROWS)
  const row = (level: LadderRow | undefined, side: 'yes' | 'no', index: number) => (
    <Row key={`${side}${index}`} level={level} side={side} payout={payout} onPick={onPick} />
  )
  return (
    <table class="ladder">
      <caption class="unseen">Open orders by YES price. Select a price to use it in your order.</caption>
      <thead>
        <tr>
          <th scope="col">YES bids</th>
          <th scope="col">Price</th>
          <th scope="col">NO bids</th>
        </tr>
      </thead>
      <tbody>
        {rows.asks.map((level, index) => row(level, 'no', index))}
        <tr class="ladder-middle">
          <td colSpan={3}>{middleText(book, rows, payout)}</td>
        </tr>
        {rows.bids.map((level, index) => row(level, 'yes', index))}
      </tbody>
    </table>
  )
}

function middleText(book: OrderBook | undefined, { spread }: LadderRows, payout: number): string {
  if (book === undefined) return 'Loading order book…'
  if (book.bids.length + book.asks.length === 0) return 'No orders yet. Place the first.'
  const last = book.last_price
  const lastText = last === null ? 'no trades yet' : `last ${rupeesText(last)} · ${chanceText(last / payout)}`
  return spread === undefined ? lastText : `${lastText} · spread ${rupeesText(spread)}`
}

interface RowProps {
  readonly level: LadderRow | undefined
  readonly side: 'yes' | 'no'
  readonly payout: number
  readonly onPick: (yesPrice: number) => void
}

function Row({ level, side, payout, onPick }: RowProps) {
  if (level === undefined) {
    return (
      <tr class="ladder-row">
        <td />
        <td />
        <td />
      </tr>
    )
  }
  const { price, quantity, own, depth } = level
  const amount = (
    <span class="ladder-quantity">
      <span class="ladder-bar" style={{ transform: `scaleX(${depth.toFixed(3)})` }} />
      {own > 0 && (
        <span class="ladder-own" title={`Your orders: ${countText(own)}`}>
          {countText(own)} yours
        </span>
      )}
      <span>{countText(quantity)}</span>
    </span>
  )
  return (
    // A click anywhere in the row does what its button does; the keyboard has the button.
    <tr class={`ladder-row ladder-${side}`} onClick={() => onPick(price)}>
      <td>{side === 'yes' && amount}</td>
      <td>
        <button type="button" class="ladder-price">
          {rupeesText(price)} <small>{chanceText(price / payout)}</small>
        </button>
      </td>
      <td>{side === 'no' && amount}</td>
    </tr>
  )
}
