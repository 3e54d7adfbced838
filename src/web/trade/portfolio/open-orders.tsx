import { useSignal } from '@preact/signals'
import type { Order } from '../../../client/shapes.js'
import { errorText } from '../../kit/error-text.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { reasonText } from '../../kit/reason-text.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/ticket.js'
import { exchange } from '../exchange-client.js'
import { AmendDialog } from '../orders/amend-dialog.jsx'

interface OpenOrdersProps {
  readonly orders: readonly Order[]
  /** Returns the title of an order’s market; for a table that covers several markets. */
  readonly titleOf?: (eventId: string) => string
}

/** The user’s open orders, each with buttons to change and to cancel it. */
export function OpenOrders({ orders, titleOf }: OpenOrdersProps) {
  const errorMessage = useSignal('')
  const amending = useSignal<Order | undefined>(undefined)
  const cancel = async (id: string) => {
    errorMessage.value = ''
    try {
      const { state, reason } = await exchange.cancelOrder(id)
      if (state === 'cancelled') return
      errorMessage.value = t.noLongerOpen(t.state[state], reason ? reasonText(reason) : '')
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
        <p class="empty">{titleOf === undefined ? t.noOpenOrdersHere : t.noOpenOrders}</p>
      ) : (
        <div class="table-frame">
          <table class="table open-orders">
            <Heads hasMarkets={titleOf !== undefined} />
            <tbody>
              {orders.map(order => (
                <OrderRow
                  key={order.id}
                  order={order}
                  title={titleOf?.(order.event_id)}
                  onAmend={() => {
                    errorMessage.value = ''
                    amending.value = order
                  }}
                  onCancel={cancel}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {amending.value !== undefined && (
        <AmendDialog
          order={amending.value}
          onClose={() => {
            amending.value = undefined
          }}
        />
      )}
    </>
  )
}

function Heads({ hasMarkets }: { readonly hasMarkets: boolean }) {
  return (
    <thead>
      <tr>
        {hasMarkets && <th scope="col">{t.marketColumn}</th>}
        <th scope="col">{t.orderColumn}</th>
        <th scope="col" class="number">
          {t.price}
        </th>
        <th scope="col">
          <span class="unseen">{t.actionsColumn}</span>
        </th>
      </tr>
    </thead>
  )
}

interface OrderRowProps {
  readonly order: Order
  readonly title: string | undefined
  readonly onAmend: () => void
  readonly onCancel: (id: string) => Promise<void>
}

function OrderRow({ order, title, onAmend, onCancel }: OrderRowProps) {
  const isGoing = useSignal(false)
  const { id, event_id, offer_type, outcome, price, quantity, filled_quantity, createdAt } = order
  const what = t.dealName[offer_type](t.outcome[outcome])
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
      <td title={dayTimeText(createdAt)}>
        <span class={outcome}>{what}</span>
        <small>{t.filledOf(countText(filled_quantity), countText(quantity))}</small>
      </td>
      <td class="number">{rupeesText(price)}</td>
      <td class="number order-actions">
        <button
          type="button"
          class="button button-small"
          aria-label={t.amendOrder(what, rupeesText(price))}
          onClick={onAmend}
        >
          {t.amend}
        </button>
        <button
          type="button"
          class="button button-small"
          disabled={isGoing.value}
          aria-label={t.cancelOrder(what, rupeesText(price))}
          onClick={() => void cancel()}
        >
          {t.cancel}
        </button>
      </td>
    </tr>
  )
}
