import { useSignal } from '@preact/signals'
import type { LedgerReport, Verification } from '../../../client/client.js'
import { countText } from '../../kit/number-texts.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-health.js'
import { clients } from '../admin-clients.js'
import { useOperatorAction } from '../operator-action.js'
import { verificationWords } from './verification-words.js'

interface LedgerCheckProps {
  /** The last verification of the whole file, which the exchange runs automatically. */
  readonly verified: Verification | null
}

/** Verifies the ledger on demand; reads every account and every open order. */
export function LedgerCheck({ verified }: LedgerCheckProps) {
  const report = useSignal<LedgerReport | undefined>(undefined)
  const { fault, isBusy, run } = useOperatorAction()
  const check = () =>
    run(async () => {
      report.value = await clients.patient.operator.verifyLedger()
    })
  return (
    <section class="card" aria-labelledby="ledger-title">
      <div class="card-head">
        <h2 id="ledger-title">{t.ledger}</h2>
        <button type="button" class="button button-small" disabled={isBusy} onClick={check}>
          {isBusy ? t.verifying : t.verify}
        </button>
      </div>
      <div class="card-body" role="status">
        {report.value === undefined && fault === undefined && <p class="faint">{t.recomputes}</p>}
        {fault !== undefined && <p class="fault">{fault.words}</p>}
        {report.value !== undefined && <Report report={report.value} />}
        <p class={verified === null || verified.result === 'ok' ? 'faint' : 'fault'}>
          {verified === null
            ? t.fileNotVerified
            : t.wholeFile(dayTimeText(verified.createdAt), verificationWords(verified))}
        </p>
      </div>
    </section>
  )
}

function Report({ report }: { readonly report: LedgerReport }) {
  const { ok, sequence, checks, findings = [] } = report
  const [accounts, orders, batch] = [report.accounts, report.open_orders, sequence].map(n => countText(n))
  const whole = t.ledgerWhole(accounts ?? '', orders ?? '', batch ?? '')
  return (
    <>
      <p class={ok ? 'gain' : 'fault'}>{ok ? whole : t.ledgerBroken}</p>
      <ul class="checks">
        {checks.map(check => (
          <li key={check.rule}>
            <span class={check.ok ? 'gain' : 'fault'}>{check.ok ? '✓' : '✗'}</span> {check.rule}
          </li>
        ))}
      </ul>
      {findings.map(finding => (
        <p key={finding} class="fault">
          {finding}
        </p>
      ))}
    </>
  )
}
