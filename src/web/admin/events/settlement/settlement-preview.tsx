import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Market, Outcome, PreviewedSettlement, PreviewTotals } from '../../../../client/client.js'
import { errorText } from '../../../kit/error-text.js'
import { countText, gainTone, rupeesText } from '../../../kit/number-texts.js'
import type { Column } from '../../../kit/table.jsx'
import { Table } from '../../../kit/table.jsx'
import { t } from '../../../texts/admin-events.js'
import { t as house } from '../../../texts/admin-house.js'
import { recordOutcome } from '../../admin-access.js'
import { clients } from '../../admin-clients.js'
import { settlementWords, sumFault, sumLines } from './settlement-sum.js'

const ROWS_STEP = 100

const COLUMNS: readonly Column<PreviewedSettlement>[] = [
  { ...{ id: 'user', label: t.settle.user, kind: 'name' }, cell: ({ userid }) => userid || house.holder },
  { ...{ id: 'yes', label: t.outcome.yes, kind: 'number' }, cell: ({ yes }) => countText(yes) },
  { ...{ id: 'no', label: t.outcome.no, kind: 'number' }, cell: ({ no }) => countText(no) },
  {
    ...{ id: 'invested', label: t.settle.invested, kind: 'number', isRoomy: true },
    cell: ({ paid }) => rupeesText(paid),
  },
  { ...{ id: 'payout', label: t.payout, kind: 'number' }, cell: ({ payment }) => rupeesText(payment) },
  {
    ...{ id: 'profit', label: t.settle.profit, kind: 'number' },
    cell: ({ result }) => rupeesText(result, 'signed'),
    tone: ({ result }) => gainTone(result),
  },
]

interface Found {
  readonly totals: PreviewTotals
  readonly rows: readonly PreviewedSettlement[]
  readonly cursor: string | null
}

interface SettlementPreviewProps {
  readonly market: Market
  readonly outcome: Outcome
  /** Called with whether the totals are loaded and add up. */
  readonly onWhole: (isWhole: boolean) => void
}

/** Previews the payouts of an outcome, user by user, and checks that they add up. */
export function SettlementPreview({ market, outcome, onWhole }: SettlementPreviewProps) {
  const found = useSignal<Found | undefined>(undefined)
  const errorMessage = useSignal('')
  const moreErrorMessage = useSignal('')
  const round = useSignal(0)
  const load = async (cursor?: string) => {
    const { operator } = clients.asking
    const page = { outcome, limit: ROWS_STEP, ...(cursor !== undefined && { cursor }) }
    const { totals, settlements, next_cursor } = await operator.previewSettlement(market.event_id, page)
    const before = found.peek()
    const all = totals ?? before?.totals
    if (all === undefined) return
    found.value = {
      totals: all,
      rows: [...(totals === null ? (before?.rows ?? []) : []), ...settlements],
      cursor: next_cursor,
    }
    errorMessage.value = ''
    moreErrorMessage.value = ''
    onWhole(sumFault(all) === undefined)
  }
  const attempt = (cursor?: string) =>
    load(cursor).catch(error => {
      const failure = recordOutcome(error)
      if (failure === undefined) return
      // The totals stand without the other users.
      const place = cursor === undefined ? errorMessage : moreErrorMessage
      place.value = errorText(failure)
      if (cursor === undefined) onWhole(false)
    })
  useEffect(() => {
    void attempt()
  }, [round.value, market.status, market.open_interest])
  if (errorMessage.value !== '') {
    return (
      <LoadError
        words={errorMessage.value}
        onRetry={() => {
          round.value++
        }}
      />
    )
  }
  if (found.value === undefined) return <p class="faint">{t.settle.calculating}</p>
  const { totals, rows, cursor } = found.value
  return (
    <section class="preview" aria-label={t.settle.preview}>
      <Sum totals={totals} outcome={outcome} />
      {rows.length > 0 && (
        <div class="payouts">
          <Table columns={COLUMNS} rows={rows} keyOf={({ userid, paid }) => `${userid} ${paid}`} />
        </div>
      )}
      {cursor !== null && (
        <MoreUsers count={totals.users} fault={moreErrorMessage.value} onMore={() => attempt(cursor)} />
      )}
    </section>
  )
}

interface MoreUsersProps {
  readonly count: number
  readonly fault: string
  readonly onMore: () => void
}

/** Shows more rows, or why they could not be read. */
function MoreUsers({ count, fault, onMore }: MoreUsersProps) {
  if (fault !== '') return <LoadError words={fault} onRetry={onMore} />
  return (
    <p class="list-end">
      <button type="button" class="button" onClick={onMore}>
        {t.settle.moreUsers(countText(count))}
      </button>
    </p>
  )
}

interface LoadErrorProps {
  readonly words: string
  readonly onRetry: () => void
}

function LoadError({ words, onRetry }: LoadErrorProps) {
  return (
    <p class="fault" role="alert">
      {words}{' '}
      <button type="button" class="button button-small" onClick={onRetry}>
        {t.retry}
      </button>
    </p>
  )
}

function Sum({ totals, outcome }: { readonly totals: PreviewTotals; readonly outcome: Outcome }) {
  const fault = sumFault(totals)
  return (
    <>
      <p>{settlementWords(outcome, totals)}</p>
      <table class="sum">
        <caption class="unseen">{t.settle.money}</caption>
        <tbody>
          {sumLines(totals, outcome).map(({ words, money }) => (
            <tr key={words}>
              <th scope="row">{words}</th>
              <td class="number">{money}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {fault !== undefined && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </>
  )
}
