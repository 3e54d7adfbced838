import type { Session } from '../../api/auth/auth-shape.js'
import { dayTimeText } from '../kit/time-texts.js'
import { t } from '../texts/account.js'
import { browserName } from './browser-name.js'
import { useLoaded } from './loaded.js'
import { RevokeButton } from './revoke-button.jsx'

/** The browsers in which the account is signed in. */
export function SessionsCard() {
  const { value, fault, again } = useLoaded<{ readonly sessions: readonly Session[] }>('/sessions')
  return (
    <section class="card" aria-labelledby="sessions-title">
      <h2 id="sessions-title">{t.sessions}</h2>
      {value === undefined && <p class="empty">{fault === '' ? t.loadingSessions : fault}</p>}
      {value !== undefined && (
        <div class="table-frame">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">{t.browser}</th>
                <th scope="col" class="roomy">
                  {t.signedIn}
                </th>
                <th scope="col">{t.lastUsed}</th>
                <th scope="col">
                  <span class="unseen">{t.end}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {value.sessions.map(session => (
                <SessionRow key={session.id} session={session} onEnded={again} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function SessionRow({ session, onEnded }: { readonly session: Session; readonly onEnded: () => void }) {
  const { id, browser, address, created_at, last_used_at, is_current, opened_by } = session
  const name = browserName(browser)
  return (
    <tr>
      <td>
        {name}
        <small>
          #{id} · {address}
          {opened_by?.startsWith('session ') && ` · ${t.byLinkOf(opened_by.slice('session '.length))}`}
        </small>
      </td>
      <td class="roomy">{dayTimeText(created_at)}</td>
      <td>{dayTimeText(last_used_at)}</td>
      <td class="number">
        {is_current ? (
          <span class="tag">{t.thisSession}</span>
        ) : (
          <RevokeButton path={`/sessions/${id}`} word={t.end} action={t.endSession(name)} onDone={onEnded}>
            <p>{t.sessionEndEffect}</p>
          </RevokeButton>
        )}
      </td>
    </tr>
  )
}
