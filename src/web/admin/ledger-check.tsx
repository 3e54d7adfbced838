import { useSignal } from '@preact/signals'
import type { LedgerReport } from '../../client/client.js'
import { countText } from '../number-texts.js'
import { clients, hear } from './admin-access.js'
import { troubleWords } from './trouble-words.js'

/** Whether the money adds up, asked by hand: it reads every account and every open order. */
export function LedgerCheck() {
  const report = useSignal<LedgerReport | undefined>(undefined)
  const trouble = useSignal('')
  const isBusy = useSignal(false)
  const check = async () => {
    isBusy.value = true
    trouble.value = ''
    try {
      report.value = await clients.value.asking.operator.verifyLedger()
    } catch (error) {
      const heard = hear(error)
      if (heard !== undefined) trouble.value = troubleWords(heard)
    }
    isBusy.value = false
  }
  return (
    <section class="card" aria-labelledby="ledger-title">
      <div class="card-head">
        <h2 id="ledger-title">The books</h2>
        <button type="button" class="button button-small" disabled={isBusy.value} onClick={check}>
          {isBusy.value ? 'Checking…' : 'Check them now'}
        </button>
      </div>
      <div class="card-body" role="status">
        {report.value === undefined && trouble.value === '' && (
          <p class="faint">Every account, every escrow, every hold, recomputed while trading goes on.</p>
        )}
        {trouble.value !== '' && <p class="fault">{trouble.value}</p>}
        {report.value !== undefined && <Report report={report.value} />}
      </div>
    </section>
  )
}

function Report({ report }: { readonly report: LedgerReport }) {
  const { ok, sequence, checks, findings = [], accounts, open_orders } = report
  return (
    <>
      <p class={ok ? 'gain' : 'fault'}>
        {ok
          ? `Everything adds up, in ${countText(accounts)} accounts and ${countText(open_orders)} open orders, as of batch ${countText(sequence)}.`
          : 'The books do not add up. Halt trading, keep a copy of the data file, and run raay verify.'}
      </p>
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
