import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { dayTimeText } from '../../kit/time-texts.js'
import { MoreButton } from '../more-button.jsx'
import { usePolled } from '../polling.js'
import { SearchField } from '../search-field.jsx'
import type { AuditLine } from './access-requests.js'
import { fetchList } from './access-requests.js'
import { AUDIT_WORDS, auditWords } from './audit-words.js'

const POLL_PAUSE_MS = 4000
const ROWS_STEP = 50

/** Sign-ins, changes of credentials and refusals, newest first. */
export function AuditPage() {
  const query = useSignal('')
  const kind = useSignal('')
  const limit = useSignal(ROWS_STEP)
  const q = query.value.trim() || undefined
  const { value: lines } = usePolled(
    () => fetchList<AuditLine>('audit', { q, kind: kind.value || undefined }, limit.value),
    POLL_PAUSE_MS,
    `${q} ${kind.value} ${limit.value}`,
  )
  useEffect(() => {
    document.title = 'Audit · Raay admin'
  }, [])
  return (
    <>
      <div class="page-head">
        <h1>Audit</h1>
        <p class="faint">Sign-ins, credentials, roles and refusals, newest first.</p>
      </div>
      <search class="filters">
        <SearchField label="Search the audit" hint="Search by name, address or detail" query={query} />
        <select
          class="field"
          aria-label="Kind"
          value={kind.value}
          onChange={event => {
            kind.value = event.currentTarget.value
          }}
        >
          <option value="">All kinds</option>
          {Object.entries(AUDIT_WORDS).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </search>
      <section class="card" aria-label="Audit" aria-busy={lines === undefined}>
        {lines === undefined && <p class="empty">Loading audit…</p>}
        {lines?.length === 0 && <p class="empty">Nothing matches.</p>}
        {lines !== undefined && lines.length > 0 && <AuditTable lines={lines} />}
      </section>
      {lines?.length === limit.value && <MoreButton words="Show more" limit={limit} step={ROWS_STEP} />}
    </>
  )
}

function AuditTable({ lines }: { readonly lines: readonly AuditLine[] }) {
  return (
    <div class="table-frame">
      <table class="table actions">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">What</th>
            <th scope="col" class="roomy">
              By
            </th>
            <th scope="col" class="roomy">
              Address
            </th>
            <th scope="col" class="roomy">
              Details
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(line => (
            <AuditRow key={line.id} line={line} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function AuditRow({ line: { at, kind, name, by, address, detail, times } }: { readonly line: AuditLine }) {
  const others = [by === name ? '' : by, address, detail].filter(text => text !== '')
  return (
    <tr>
      <td class="action-when">{dayTimeText(at)}</td>
      <td>
        <b>{auditWords(kind)}</b> <span class="name">{name}</span>{' '}
        {times > 1 && <span class="tag">{times}×</span>}
        <small class="narrow-only">{others.join(' · ')}</small>
      </td>
      <td class="roomy name">{by}</td>
      <td class="roomy name">{address}</td>
      <td class="roomy said">{detail}</td>
    </tr>
  )
}
