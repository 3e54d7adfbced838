import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { AdminAction } from '../../../client/client.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { clients } from '../admin-clients.js'
import { MoreButton } from '../more-button.jsx'
import { usePolled } from '../polling.js'
import { actionWords, saidWords, whoWords } from './action-words.js'

const POLL_PAUSE_MS = 4000
const ROWS_STEP = 50

/** The log of operator actions, newest first. */
export function ActionsPage() {
  const limit = useSignal(ROWS_STEP)
  const { value: actions } = usePolled(
    () => clients.asking.operator.fetchActions({ limit: limit.value }),
    POLL_PAUSE_MS,
    String(limit.value),
  )
  useEffect(() => {
    document.title = 'Log · Raay admin'
  }, [])
  return (
    <>
      <div class="page-head">
        <h1>Log</h1>
        <p class="faint">
          Every operator action and who authorised it, newest first. Stored with the ledger.
        </p>
      </div>
      <section class="card" aria-label="Operator actions" aria-busy={actions === undefined}>
        {actions === undefined && <p class="empty">Loading log…</p>}
        {actions?.length === 0 && <p class="empty">No actions yet.</p>}
        {actions !== undefined && actions.length > 0 && <ActionTable actions={actions} />}
      </section>
      {actions?.length === limit.value && <MoreButton words="Show more" limit={limit} step={ROWS_STEP} />}
    </>
  )
}

function ActionTable({ actions }: { readonly actions: readonly AdminAction[] }) {
  return (
    <div class="table-frame">
      <table class="table actions">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Action</th>
            <th scope="col" class="roomy">
              Details
            </th>
            <th scope="col" class="roomy">
              Authorised by
            </th>
          </tr>
        </thead>
        <tbody>
          {actions.map(action => (
            <ActionRow key={action.id} action={action} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ActionRow({ action }: { readonly action: AdminAction }) {
  const { createdAt, event_id, userid } = action
  return (
    <tr>
      <td class="action-when">{dayTimeText(createdAt)}</td>
      <td>
        <b>{actionWords(action)}</b>{' '}
        {event_id !== null && <a href={`/admin/event/${event_id}`}>{event_id}</a>}
        {userid !== null && <span class="name">{userid}</span>}
        <small class="narrow-only">{saidWords(action)}</small>
        <small class="narrow-only">{whoWords(action)}</small>
      </td>
      <td class="roomy said">{saidWords(action)}</td>
      <td class="roomy">{whoWords(action)}</td>
    </tr>
  )
}
