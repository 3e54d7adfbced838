import type { Fill, Order } from '../../../client/shapes.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { exchange } from '../exchange-client.js'
import { MarketLink } from '../market-link.jsx'
import { OrderStatus } from '../orders/order-status.jsx'
import { HistoryFrame } from './history-frame.jsx'

interface OfName {
  readonly name: string
}

/** The user’s fills. */
export function FillsTable({ name }: OfName) {
  return (
    <HistoryFrame<Fill>
      load={limit => exchange.fetchMyTrades({ userid: name, limit })}
      heads={[['Market'], ['Trade'], ['Price', 'number'], ['Amount', 'number']]}
      empty="No trades yet."
      row={({ tradeId, order_id, ts, event_id, side, outcome, qty, price, amount }) => (
        <tr key={`${tradeId}-${order_id}`}>
          <td class="wide">
            <MarketLink eventId={event_id} />
            <small>{dayTimeText(ts)}</small>
          </td>
          <td class={outcome}>
            {side === outcome ? 'bought' : 'sold'} {countText(qty)} {outcome.toUpperCase()}
          </td>
          <td class="number">{rupeesText(price)}</td>
          <td class="number">{rupeesText(amount, 'signed')}</td>
        </tr>
      )}
    />
  )
}

/** All of the user’s orders, with their status. */
export function OrdersTable({ name }: OfName) {
  return (
    <HistoryFrame<Order>
      load={limit => exchange.fetchOrders({ userid: name, limit })}
      heads={[['Market'], ['Order'], ['Price', 'number'], ['Filled', 'number'], ['Status']]}
      empty="No orders yet."
      row={order => (
        <tr key={order.id}>
          <td class="wide">
            <MarketLink eventId={order.event_id} />
            <small>{dayTimeText(order.createdAt)}</small>
          </td>
          <td class={order.outcome}>
            {order.offer_type} {order.outcome.toUpperCase()}
          </td>
          <td class="number">{order.order_type === 'MO' ? 'market' : rupeesText(order.price)}</td>
          <td class="number">
            {countText(order.filled_quantity)} of {countText(order.quantity)}
          </td>
          <td class="order-status">
            <OrderStatus order={order} />
          </td>
        </tr>
      )}
    />
  )
}
