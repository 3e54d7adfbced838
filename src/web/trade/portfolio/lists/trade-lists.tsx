import type { Fill, Order } from '../../../../client/shapes.js'
import { countText, rupeesText } from '../../../kit/number-texts.js'
import { reasonText } from '../../../kit/reason-text.js'
import { t } from '../../../texts/portfolio.js'
import { exchange } from '../../exchange-client.js'
import { MarketLink } from '../../market-link.jsx'
import { OrderStatus } from '../../orders/order-status.jsx'
import { termsOf, titleOf } from '../../titles.js'
import { dealsOf } from '../own-deals.js'
import { sheetTime } from '../../../kit/zone-days.js'
import type { List } from './list.js'
import { timeColumn } from './list-cells.jsx'

const STATES = [
  'resting',
  'partially_filled',
  'filled',
  'cancelled',
  'expired',
  'rejected',
] as const satisfies readonly Order['state'][]

/** The user’s fills. */
export const TRADES: List<Fill> = {
  name: 'trades',
  columns: [
    {
      id: 'market',
      kind: 'wide',
      label: t.market,
      isMarket: true,
      sortBy: ({ event_id }) => titleOf(event_id),
      cell: ({ event_id }) => <MarketLink eventId={event_id} />,
    },
    { id: 'trade', label: t.trade, sortBy: ({ qty }) => qty, cell: fill => <Deals fill={fill} /> },
    { id: 'amount', label: t.cash, kind: 'number', sortBy: ({ amount }) => amount, cell: amountCell },
    timeColumn(({ ts }) => ts),
  ],
  load: (userid, from, limit) => exchange.fetchMyTrades({ userid, from, limit }),
  idOf: ({ tradeId, order_id }) => `${tradeId}-${order_id}`,
  eventOf: ({ event_id }) => event_id,
  sum: { label: t.netCash, of: ({ amount }) => amount },
  sheet: [
    [t.timeIn, ({ ts }) => sheetTime(ts)],
    [t.event, ({ event_id }) => event_id],
    [t.market, ({ event_id }) => titleOf(event_id)],
    [t.trade, fill => dealsOfFill(fill).map(dealText).join('; ')],
    [t.contracts, ({ qty }) => qty],
    [t.cashRupees, ({ amount }) => amount],
    [t.tradeId, ({ tradeId }) => tradeId],
    [t.orderId, ({ order_id }) => order_id],
  ],
  empty: t.noTrades,
}

/** All of the user’s orders, with their status. */
export const ORDERS: List<Order> = {
  name: 'orders',
  columns: [
    {
      id: 'market',
      kind: 'wide',
      label: t.market,
      isMarket: true,
      sortBy: ({ event_id }) => titleOf(event_id),
      cell: ({ event_id }) => <MarketLink eventId={event_id} />,
    },
    {
      id: 'order',
      label: t.order,
      sortBy: order => t.orderOf(order.offer_type, order.outcome),
      cell: ({ offer_type, outcome }) => <span class={outcome}>{t.orderOf(offer_type, outcome)}</span>,
    },
    {
      id: 'price',
      label: t.price,
      kind: 'number',
      sortBy: ({ price }) => price,
      cell: ({ order_type, price }) => (order_type === 'MO' ? t.marketOrder : rupeesText(price)),
    },
    {
      id: 'filled',
      label: t.filled,
      kind: 'number',
      sortBy: ({ filled_quantity }) => filled_quantity,
      cell: ({ filled_quantity, quantity }) => t.ofWhole(countText(filled_quantity), countText(quantity)),
    },
    {
      id: 'status',
      label: t.status,
      sortBy: ({ state }) => t.states[state],
      cell: order => <OrderStatus order={order} />,
    },
    timeColumn(({ createdAt }) => createdAt),
  ],
  load: (userid, from, limit) => exchange.fetchOrders({ userid, from, limit }),
  idOf: ({ id }) => id,
  eventOf: ({ event_id }) => event_id,
  kinds: { choices: STATES.map(state => [state, t.states[state]]), of: ({ state }) => state },
  sheet: [
    [t.timeIn, ({ createdAt }) => sheetTime(createdAt)],
    [t.event, ({ event_id }) => event_id],
    [t.market, ({ event_id }) => titleOf(event_id)],
    [t.order, ({ offer_type, outcome }) => t.orderOf(offer_type, outcome)],
    [t.orderType, ({ order_type }) => order_type],
    [t.price, ({ order_type, price }) => (order_type === 'MO' ? null : price)],
    [t.contracts, ({ quantity }) => quantity],
    [t.filled, ({ filled_quantity }) => filled_quantity],
    [t.averagePrice, ({ average_price }) => average_price],
    [t.status, ({ state }) => t.states[state]],
    [t.reason, ({ reason }) => (reason === null ? null : reasonText(reason))],
    [t.orderId, ({ id }) => id],
  ],
  empty: t.noOrders,
}

function dealsOfFill(fill: Fill) {
  return dealsOf(fill, termsOf(fill.event_id)?.payout)
}

function dealText({ deal, outcome, quantity, price }: ReturnType<typeof dealsOf>[number]): string {
  return t.deal(deal, outcome, countText(quantity), rupeesText(price))
}

function Deals({ fill }: { readonly fill: Fill }) {
  return (
    <>
      {dealsOfFill(fill).map(deal => (
        <span key={deal.deal + deal.outcome} class={`deal ${deal.outcome}`}>
          {dealText(deal)}
        </span>
      ))}
      {fill.side === fill.outcome && fill.amount > 0 && (
        <small>{t.closedOther(fill.outcome === 'yes' ? 'no' : 'yes')}</small>
      )}
    </>
  )
}

function amountCell({ amount }: { readonly amount: number }) {
  return rupeesText(amount, 'signed')
}
