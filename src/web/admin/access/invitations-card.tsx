import type { Invitation } from '../../../api/auth/auth-shape.js'
import { callAuth } from '../../auth/auth-client.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-access.js'
import { useOperatorAction } from '../operator-action.js'
import { usePolled } from '../polling.js'

const POLL_PAUSE_MS = 4000

/** The invitations that nobody has accepted yet. */
export function InvitationsCard() {
  const { value, again } = usePolled(
    () => callAuth<{ readonly invitations: readonly Invitation[] }>('GET', '/invitations'),
    POLL_PAUSE_MS,
  )
  const { fault, isBusy, run } = useOperatorAction()
  const withdraw = (id: number) =>
    run(async () => {
      await callAuth('DELETE', `/invitations/${id}`)
      again()
    })
  const invitations = value?.invitations ?? []
  if (invitations.length === 0) return null
  return (
    <section class="card invitations" aria-labelledby="invitations-title">
      <h2 id="invitations-title">{t.openInvitations}</h2>
      {fault !== undefined && <p class="fault empty">{fault.words}</p>}
      <div class="table-frame">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t.invitedFor}</th>
              <th scope="col">{t.role}</th>
              <th scope="col" class="roomy">
                {t.invitedBy}
              </th>
              <th scope="col">{t.until}</th>
              <th scope="col">
                <span class="unseen">{t.withdraw}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {invitations.map(({ id, name, role, made_by, expires_at }) => (
              <tr key={id}>
                <td class="name">{name ?? t.anybody}</td>
                <td>{t.roleNames[role]}</td>
                <td class="roomy name">{made_by}</td>
                <td>{dayTimeText(expires_at)}</td>
                <td class="number">
                  <button
                    type="button"
                    class="button button-small"
                    aria-label={t.withdrawInvitation(name ?? t.anybody)}
                    disabled={isBusy}
                    onClick={() => void withdraw(id)}
                  >
                    {t.withdraw}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
