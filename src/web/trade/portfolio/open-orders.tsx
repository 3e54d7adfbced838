import { useSignal } from '@preact/signals'
import type { Order } from '../../../client/shapes.js'
import { errorText } from '../../kit/error-text.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { reasonText } from '../../kit/reason-text.js'
import type { Column } from '../../kit/table.jsx'
import { Table } from '../../kit/table.jsx'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/ticket.js'
import { exchange } from '../exchange-client.js'
import { AmendDialog } from '../orders/amend-dialog.jsx'

interface OpenOrdersProps {
  /** Undefined until the exchange has sent them. */
  readonly orders: readonly Order[] | undefined
  /** Returns the title of an order’s market; for a table that covers several markets. */
  readonly titleOf?: ((eventId: string) => string) | undefined
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
  const amend = (order: Order) => {
    errorMessage.value = ''
    amending.value = order
  }
  return (
    <>
      <p class={errorMessage.value === '' ? 'unseen' : 'empty fault'} role="alert">
        {errorMessage.value}
      </p>
      {orders === undefined || orders.length === 0 ? (
        <p class="empty" aria-busy={orders === undefined}>
          {orders === undefined ? t.loading : titleOf === undefined ? t.noOpenOrdersHere : t.noOpenOrders}
        </p>
      ) : (
        <Table
          class={titleOf === undefined ? 'open-orders' : 'open-orders list-table'}
          columns={columnsOf({ titleOf, onAmend: amend, onCancel: cancel })}
          rows={orders}
          keyOf={({ id }) => id}
        />
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

interface Acts extends Pick<OpenOrdersProps, 'titleOf'> {
  readonly onAmend: (order: Order) => void
  readonly onCancel: (id: string) => Promise<void>
}

function columnsOf({ titleOf, ...acts }: Acts): readonly Column<Order>[] {
  const market: Column<Order> = {
    ...{ id: 'market', label: t.marketColumn, kind: 'wide' },
    cell: ({ event_id }) => <a href={`/market/${event_id}`}>{titleOf?.(event_id)}</a>,
  }
  return [
    ...(titleOf === undefined ? [] : [market]),
    {
      ...{ id: 'order', label: t.orderColumn },
      cell: order => (
        <>
          <span class={order.outcome} title={dayTimeText(order.createdAt)}>
            {whatOf(order)}
          </span>
          <small>{t.filledOf(countText(order.filled_quantity), countText(order.quantity))}</small>
        </>
      ),
    },
    { ...{ id: 'price', label: t.price, kind: 'number' }, cell: ({ price }) => rupeesText(price) },
    {
      ...{ id: 'acts', label: t.actionsColumn, isLabelUnseen: true, kind: 'number' },
      cell: order => <OrderActs order={order} {...acts} />,
    },
  ]
}

function OrderActs({ order, onAmend, onCancel }: Omit<Acts, 'titleOf'> & { readonly order: Order }) {
  const isGoing = useSignal(false)
  const { id, price } = order
  const cancel = async () => {
    isGoing.value = true
    await onCancel(id)
    isGoing.value = false
  }
  return (
    <span class="order-actions">
      <button
        type="button"
        class="button button-small"
        aria-label={t.amendOrder(whatOf(order), rupeesText(price))}
        onClick={() => onAmend(order)}
      >
        {t.amend}
      </button>
      <button
        type="button"
        class="button button-small"
        disabled={isGoing.value}
        aria-label={t.cancelOrder(whatOf(order), rupeesText(price))}
        onClick={() => void cancel()}
      >
        {t.cancel}
      </button>
    </span>
  )
}

function whatOf({ offer_type, outcome }: Order): string {
  return t.dealName[offer_type](t.outcome[outcome])
}
