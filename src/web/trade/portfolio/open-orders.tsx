import { useSignal } from '@preact/signals'
import type { Order } from '../../../client/shapes.js'
import { errorText } from '../../kit/error-text.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { reasonText } from '../../kit/reason-text.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { exchange } from '../exchange-client.js'

interface OpenOrdersProps {
  readonly orders: readonly Order[]
  /** Returns the title of an order’s market; for a table that covers several markets. */
  readonly titleOf?: (eventId: string) => string
}

/** The user’s open orders, each with a Cancel button. */
export function OpenOrders({ orders, titleOf }: OpenOrdersProps) {
  const errorMessage = useSignal('')
  const cancel = async (id: string) => {
    errorMessage.value = ''
    try {
      const { state, reason } = await exchange.cancelOrder(id)
      if (state !== 'cancelled')
        errorMessage.value = `This order is no longer open: ${state}. ${reason ? reasonText(reason) : ''}`
    } catch (error) {
      errorMessage.value = errorText(error)
    }
  }
  return (
    <>
      <p class={errorMessage.value === '' ? 'unseen' : 'empty fault'} role="alert">
        {errorMessage.value}
      </p>
      {orders.length === 0 ? (
        <p class="empty">No open orders{titleOf === undefined ? ' in this market' : ''}.</p>
      ) : (
        <div class="table-frame">
          <table class="table">
            <thead>
              <tr>
                {titleOf !== undefined && <th scope="col">Market</th>}
                <th scope="col">Order</th>
                <th scope="col" class="number">
                  Price
                </th>
                <th scope="col" class="number">
                  Filled
                </th>
                <th scope="col">
                  <span class="unseen">Cancel</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {orders.map(order => (
                <OrderRow key={order.id} order={order} title={titleOf?.(order.event_id)} onCancel={cancel} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}

interface OrderRowProps {
  readonly order: Order
  readonly title: string | undefined
  readonly onCancel: (id: string) => Promise<void>
}

function OrderRow({ order, title, onCancel }: OrderRowProps) {
  const isGoing = useSignal(false)
  const { id, event_id, offer_type, outcome, price, quantity, filled_quantity, createdAt } = order
  const what = `${offer_type} ${outcome.toUpperCase()}`
  const cancel = async () => {
    isGoing.value = true
    await onCancel(id)
    isGoing.value = false
  }
  return (
    <tr>
      {title !== undefined && (
        <td class="wide">
          <a href={`/market/${event_id}`}>{title}</a>
        </td>
      )}
      <td class={outcome} title={dayTimeText(createdAt)}>
        {what}
      </td>
      <td class="number">{rupeesText(price)}</td>
      <td class="number">
        {countText(filled_quantity)} of {countText(quantity)}
      </td>
      <td class="number">
        <button
          type="button"
          class="button button-small"
          disabled={isGoing.value}
          aria-label={`Cancel ${what} at ${rupeesText(price)}`}
          onClick={() => void cancel()}
        >
          Cancel
        </button>
      </td>
    </tr>
  )
}
