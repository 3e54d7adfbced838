import type { Session } from '../../api/auth/auth-shape.js'
import type { Column } from '../kit/table.jsx'
import { Table } from '../kit/table.jsx'
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
        <Table columns={sessionColumns(again)} rows={value.sessions} keyOf={({ id }) => id} />
      )}
    </section>
  )
}

function sessionColumns(onEnded: () => void): readonly Column<Session>[] {
  return [
    {
      ...{ id: 'browser', label: t.browser },
      cell: ({ id, browser, address, opened_by }) => (
        <>
          {browserName(browser)}
          <small>
            #{id} · {address}
            {opened_by?.startsWith('session ') && ` · ${t.byLinkOf(opened_by.slice('session '.length))}`}
          </small>
        </>
      ),
    },
    {
      ...{ id: 'opened', label: t.signedIn, isRoomy: true },
      cell: ({ created_at }) => dayTimeText(created_at),
    },
    { ...{ id: 'used', label: t.lastUsed }, cell: ({ last_used_at }) => dayTimeText(last_used_at) },
    {
      ...{ id: 'end', label: t.end, isLabelUnseen: true, kind: 'number' },
      cell: ({ id, browser, is_current }) =>
        is_current ? (
          <span class="tag">{t.thisSession}</span>
        ) : (
          <RevokeButton
            path={`/sessions/${id}`}
            word={t.end}
            action={t.endSession(browserName(browser))}
            onDone={onEnded}
          >
            <p>{t.sessionEndEffect}</p>
          </RevokeButton>
        ),
    },
  ]
}
