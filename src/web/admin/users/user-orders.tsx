import { useSignal } from '@preact/signals'
import type { Order } from '../../../client/client.js'
import { ConfirmDialog } from '../../forms/confirm-dialog.jsx'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { t as frame } from '../../texts/admin-frame.js'
import { t } from '../../texts/admin-users.js'
import { clients } from '../admin-clients.js'
import type { Column } from '../../kit/table.jsx'
import { DataTable } from '../lists/data-table.jsx'
import { useOperatorAction } from '../operator-action.js'
import { eventCell } from './event-cell.jsx'
import { SectionHead } from './section-head.jsx'

const words = ({ offer_type, outcome }: Order) =>
  offer_type === 'buy' ? t.buyOf(outcome) : t.sellOf(outcome)

const COLUMNS: readonly Column<Order>[] = [
  {
    ...{ id: 'event', label: t.event },
    cell: ({ event_id }) => eventCell(event_id),
    csv: ({ event_id }) => event_id,
  },
  { ...{ id: 'order', label: t.order }, cell: words, csv: words },
  {
    ...{ id: 'price', label: t.price, kind: 'number' },
    cell: ({ price }) => (price === null ? t.market : rupeesText(price)),
    csv: ({ price }) => price,
  },
  {
    ...{ id: 'quantity', label: t.quantity, kind: 'number' },
    cell: ({ quantity }) => countText(quantity),
    csv: ({ quantity }) => quantity,
  },
  {
    ...{ id: 'filled', label: t.filled, kind: 'number', isRoomy: true },
    cell: ({ filled_quantity }) => countText(filled_quantity),
    csv: ({ filled_quantity }) => filled_quantity,
  },
  {
    ...{ id: 'placed', label: t.placed, isRoomy: true },
    cell: ({ createdAt }) => dayTimeText(createdAt),
    csv: ({ createdAt }) => createdAt,
  },
]

interface UserOrdersProps {
  readonly userid: string
  readonly orders: readonly Order[]
  readonly onChange: () => void
}

/** A user’s open orders, which an operator can cancel all at once. */
export function UserOrders({ userid, orders, onChange }: UserOrdersProps) {
  const isAsking = useSignal(false)
  const { fault, isBusy, run } = useOperatorAction()
  const leave = () => {
    isAsking.value = false
  }
  const cancelAll = () =>
    run(async () => {
      await clients.doing.cancelAllOrders({ userid })
      leave()
      onChange()
    })
  return (
    <section class="card" aria-labelledby="orders-title">
      <SectionHead id="orders" title={t.openOrders} columns={COLUMNS} load={async () => orders}>
        {orders.length > 0 && (
          <button
            type="button"
            class="button button-danger-quiet"
            onClick={() => {
              isAsking.value = true
            }}
          >
            {t.cancelAll}
          </button>
        )}
      </SectionHead>
      {orders.length === 0 ? (
        <p class="empty">{t.noOrders}</p>
      ) : (
        <DataTable columns={COLUMNS} rows={orders} keyOf={({ id }) => id} />
      )}
      {isAsking.value && (
        <ConfirmDialog
          title={t.cancelAllTitle(userid)}
          doIt={t.cancelAll}
          leaveIt={frame.cancel}
          errorMessage={fault?.words ?? ''}
          isBusy={isBusy}
          onDo={() => void cancelAll()}
          onLeave={leave}
        >
          <p>{t.cancelAllText}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
