import type { Invitation } from '../../../api/auth/auth-shape.js'
import { callAuth } from '../../auth/auth-client.js'
import type { Column } from '../../kit/table.jsx'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-access.js'
import { usePolled } from '../polling.js'
import { RevocableCard } from './revocable-card.jsx'

const POLL_PAUSE_MS = 4000

const COLUMNS: readonly Column<Invitation>[] = [
  { ...{ id: 'for', label: t.invitedFor, kind: 'name' }, cell: ({ name }) => name ?? t.anyone },
  { ...{ id: 'role', label: t.role }, cell: ({ role }) => t.roleNames[role] },
  { ...{ id: 'by', label: t.invitedBy, kind: 'name', isRoomy: true }, cell: ({ made_by }) => made_by },
  { ...{ id: 'until', label: t.until }, cell: ({ expires_at }) => dayTimeText(expires_at) },
]

/** Lists the invitations that have not been accepted yet. */
export function InvitationsCard() {
  const { value, again } = usePolled(
    () => callAuth<{ readonly invitations: readonly Invitation[] }>('GET', '/invitations'),
    POLL_PAUSE_MS,
  )
  return (
    <RevocableCard
      id="invitations"
      title={t.openInvitations}
      columns={COLUMNS}
      rows={value?.invitations ?? []}
      word={t.withdraw}
      labelOf={({ name }) => t.withdrawInvitation(name ?? t.anyone)}
      revoke={({ id }) => callAuth('DELETE', `/invitations/${id}`)}
      onDone={again}
    />
  )
}
