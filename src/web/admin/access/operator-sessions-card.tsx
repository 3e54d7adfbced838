import type { Session } from '../../../api/auth/auth-shape.js'
import { callAuth } from '../../auth/auth-client.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-access.js'
import { useOperatorAction } from '../operator-action.js'
import { usePolled } from '../polling.js'

const POLL_PAUSE_MS = 4000
const OPERATOR = { operator: 'true' }

/** The sessions that the operator's key has opened, directly or by links. */
export function OperatorSessionsCard() {
  const { value, again } = usePolled(
    () => callAuth<{ readonly sessions: readonly Session[] }>('GET', '/sessions', { query: OPERATOR }),
    POLL_PAUSE_MS,
  )
  const { fault, isBusy, run } = useOperatorAction()
  const end = (id: number) =>
    run(async () => {
      await callAuth('DELETE', `/sessions/${id}`, { query: OPERATOR })
      again()
    })
  const sessions = value?.sessions ?? []
  if (sessions.length === 0) return null
  return (
    <section class="card invitations" aria-labelledby="operator-sessions-title">
      <h2 id="operator-sessions-title">{t.operatorSessions}</h2>
      {fault !== undefined && <p class="fault empty">{fault.words}</p>}
      <div class="table-frame">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">#</th>
              <th scope="col">{t.openedBy}</th>
              <th scope="col">{t.lastUsed}</th>
              <th scope="col" class="roomy">
                {t.until}
              </th>
              <th scope="col">
                <span class="unseen">{t.endSession}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {sessions.map(({ id, opened_by, address, last_used_at, expires_at }) => (
              <tr key={id}>
                <td>{id}</td>
                <td>
                  {openerText(opened_by)} <small>{address}</small>
                </td>
                <td>{dayTimeText(last_used_at)}</td>
                <td class="roomy">{dayTimeText(expires_at)}</td>
                <td class="number">
                  <button
                    type="button"
                    class="button button-small"
                    aria-label={t.endSessionOf(id)}
                    disabled={isBusy}
                    onClick={() => void end(id)}
                  >
                    {t.endSession}
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

function openerText(openedBy: string | null): string {
  return openedBy?.startsWith('session ') ? t.linkOfSession(openedBy.slice('session '.length)) : t.operatorKey
}
