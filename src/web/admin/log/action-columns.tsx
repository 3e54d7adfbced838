import type { AdminAction } from '../../../client/client.js'
import { t } from '../../texts/admin-log.js'
import type { Column } from '../../kit/table.jsx'
import { eventCell, eventTitle } from '../users/event-cell.jsx'
import { userAddress } from '../users/user-columns.jsx'
import { actionWords, detailsOf, detailText } from './action-words.js'
import { logColumns } from './log-columns.jsx'
import { whoWords } from './who-words.js'

/** Returns the columns of the log of operators’ actions. */
export function actionColumns(): readonly Column<AdminAction>[] {
  return logColumns<AdminAction>({
    timeOf: ({ createdAt }) => createdAt,
    what: action => (
      <>
        <b>{actionWords(action)}</b> <About action={action} />
      </>
    ),
    whatText: ({ event_id, userid, ...action }) =>
      [actionWords(action), event_id ?? userid ?? ''].join(' ').trim(),
    details: action => <Changes action={action} />,
    detailsText: action => detailsOf(action).map(detailText).join('; '),
    by: whoWords,
    address: ({ address }) => address,
  })
}

function About({ action: { event_id, userid } }: { readonly action: AdminAction }) {
  if (event_id !== null) return eventCell(event_id)
  if (userid === null) return null
  return (
    <a class="name" href={userAddress(userid)}>
      {userid}
    </a>
  )
}

/** The fields of an action, with what they were before. */
function Changes({ action }: { readonly action: AdminAction }) {
  const details = detailsOf(action, action.event_id === null ? undefined : eventTitle(action.event_id))
  if (details.length === 0) return null
  return (
    <ul class="changes">
      {details.map(({ label, before, after }) => (
        <li key={label}>
          <span class="faint">{label}</span>
          {before !== undefined && (
            <>
              <span class="unseen">{t.changedFrom}</span> <del>{before}</del>{' '}
              <span aria-hidden="true">→</span> <span class="unseen">{t.to}</span>
            </>
          )}{' '}
          {after}
        </li>
      ))}
    </ul>
  )
}
