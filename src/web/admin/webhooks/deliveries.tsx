import { useSignal } from '@preact/signals'
import type { WebhookDelivery } from '../../../client/client.js'
import { countText } from '../../kit/number-texts.js'
import type { Column } from '../../kit/table.jsx'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-webhooks.js'
import { DataTable } from '../lists/data-table.jsx'
import { ListCard } from '../lists/list-page.jsx'

const ROWS_STEP = 20

/** The last attempts of a webhook, newest first. */
export function Deliveries({ deliveries }: { readonly deliveries: readonly WebhookDelivery[] | undefined }) {
  const limit = useSignal(ROWS_STEP)
  const rows = deliveries?.slice(0, limit.value)
  return (
    <ListCard
      name={t.deliveries}
      count={rows?.length}
      empty={t.noDeliveries}
      limit={limit}
      step={ROWS_STEP}
      head={<h2>{t.deliveries}</h2>}
    >
      <DataTable columns={COLUMNS} rows={rows ?? []} keyOf={({ message, at }) => `${message} ${at}`} />
    </ListCard>
  )
}

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { ...{ id: 'at', label: t.time, kind: 'when' }, cell: ({ at }) => dayTimeText(at) },
  {
    ...{ id: 'event', label: t.event },
    cell: ({ event, message }) => (
      <>
        {t.eventNames[event]}
        <small class="message">{message}</small>
      </>
    ),
  },
  {
    ...{ id: 'result', label: t.result, kind: 'wide' },
    cell: ({ status, answer }) => (
      <>
        <span class={isSuccess(status) ? 'gain' : 'loss'}>{status ?? answer}</span>
        {status !== null && answer !== '' && <small>{answer}</small>}
      </>
    ),
  },
  {
    // On phones the answer has its room.
    ...{ id: 'ms', label: t.duration, kind: 'number', isRoomy: true },
    cell: ({ ms }) => t.ms(countText(ms)),
  },
]

const isSuccess = (status: number | null) => status !== null && status >= 200 && status < 300
