import type { Session } from '../../../api/auth/auth-shape.js'
import { callAuth } from '../../auth/auth-client.js'
import type { Column } from '../../kit/table.jsx'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-access.js'
import { usePolled } from '../polling.js'
import { RevocableCard } from './revocable-card.jsx'

const POLL_PAUSE_MS = 4000
const OPERATOR = { operator: 'true' }

const COLUMNS: readonly Column<Session>[] = [
  { ...{ id: 'id', label: '#' }, cell: ({ id }) => id },
  {
    ...{ id: 'opener', label: t.openedBy },
    cell: ({ opened_by, address }) => (
      <>
        {openerText(opened_by)} <small>{address}</small>
      </>
    ),
  },
  { ...{ id: 'used', label: t.lastUsed }, cell: ({ last_used_at }) => dayTimeText(last_used_at) },
  { ...{ id: 'until', label: t.until, isRoomy: true }, cell: ({ expires_at }) => dayTimeText(expires_at) },
]

/** The sessions that the operator's key has opened, directly or by links. */
export function OperatorSessionsCard() {
  const { value, again } = usePolled(
    () => callAuth<{ readonly sessions: readonly Session[] }>('GET', '/sessions', { query: OPERATOR }),
    POLL_PAUSE_MS,
  )
  return (
    <RevocableCard
      id="operator-sessions"
      title={t.operatorSessions}
      columns={COLUMNS}
      rows={value?.sessions ?? []}
      word={t.endSession}
      labelOf={({ id }) => t.endSessionOf(id)}
      revoke={({ id }) => callAuth('DELETE', `/sessions/${id}`, { query: OPERATOR })}
      onDone={again}
    />
  )
}

function openerText(openedBy: string | null): string {
  return openedBy?.startsWith('session ') ? t.linkOfSession(openedBy.slice('session '.length)) : t.operatorKey
}
