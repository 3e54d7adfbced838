import { useSignal } from '@preact/signals'
import type { DoctorReport } from '../../../client/client.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-health.js'
import { clients } from '../admin-clients.js'
import { useOperatorAction } from '../operator-action.js'

const SIGNS = { ok: '✓', warn: '!', fail: '✗' } as const

/** Checks the machine and the data on demand, and says what to do. */
export function DoctorCard() {
  const report = useSignal<DoctorReport | undefined>(undefined)
  const { fault, isBusy, run } = useOperatorAction()
  const check = () =>
    run(async () => {
      report.value = await clients.patient.operator.fetchDoctor()
    })
  return (
    <section class="card" aria-labelledby="doctor-title">
      <div class="card-head">
        <h2 id="doctor-title">{t.machine}</h2>
        <button type="button" class="button button-small" disabled={isBusy} onClick={check}>
          {isBusy ? t.checking : t.check}
        </button>
      </div>
      <div class="card-body" role="status">
        {report.value === undefined && fault === undefined && <p class="faint">{t.looksAt}</p>}
        {fault !== undefined && <p class="fault">{fault.words}</p>}
        {report.value !== undefined && <Findings report={report.value} />}
      </div>
    </section>
  )
}

function Findings({ report: { checkedAt, checks } }: { readonly report: DoctorReport }) {
  return (
    <>
      <ul class="checks">
        {checks.map(({ name, result, found, advice }) => (
          <li key={`${name} ${found}`}>
            <span class={result === 'ok' ? 'gain' : 'fault'} role="img" aria-label={t.results[result]}>
              {SIGNS[result]}
            </span>{' '}
            <strong>{name}</strong> {found}
            {advice !== undefined && <p class="faint">→ {advice}</p>}
          </li>
        ))}
      </ul>
      <p class="faint">{t.checkedAt(dayTimeText(checkedAt))}</p>
    </>
  )
}
