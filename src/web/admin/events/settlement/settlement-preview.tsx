import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PreviewedSettlement, PreviewTotals } from '../../../../client/client.js'
import { errorText } from '../../../kit/error-text.js'
import { countText, gainTone, rupeesText } from '../../../kit/number-texts.js'
import type { Column } from '../../../kit/table.jsx'
import { Table } from '../../../kit/table.jsx'
import { t } from '../../../texts/admin-events.js'
import { t as house } from '../../../texts/admin-house.js'
import { recordOutcome } from '../../admin-access.js'
import { sumFault, sumLines, withOneHouse } from './settlement-sum.js'

const ROWS_STEP = 100

type Totals = Omit<PreviewTotals, 'yes' | 'no'>
type Row = Omit<PreviewedSettlement, 'yes' | 'no'>

/** A part of the rows; the first one has the totals. */
interface PreviewPage<R extends Row, T extends Totals> {
  readonly totals: T | null
  readonly settlements: readonly R[]
  readonly next_cursor: string | null
}

interface Found<R extends Row, T extends Totals> {
  readonly totals: T
  readonly rows: readonly R[]
  readonly cursor: string | null
}

interface SettlementPreviewProps<R extends Row, T extends Totals> {
  readonly isVoid: boolean
  readonly fetchPage: (page: { limit: number; cursor?: string }) => Promise<PreviewPage<R, T>>
  /** Read again when this changes. */
  readonly version: string
  /** Columns between a user's name and what they have paid. */
  readonly holdings?: readonly Column<R>[]
  /** Says the totals in a sentence. */
  readonly wordsOf?: (totals: T) => string
  /** Called with whether the totals are loaded and add up. */
  readonly onWhole: (isWhole: boolean) => void
}

/** Reads a preview, page after page. */
function usePreview<R extends Row, T extends Totals>(props: SettlementPreviewProps<R, T>) {
  const { fetchPage, version, onWhole } = props
  const found = useSignal<Found<R, T> | undefined>(undefined)
  const errorMessage = useSignal('')
  const moreErrorMessage = useSignal('')
  const round = useSignal(0)
  const load = async (cursor?: string) => {
    const page = { limit: ROWS_STEP, ...(cursor !== undefined && { cursor }) }
    const { totals, settlements, next_cursor } = await fetchPage(page)
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
  }, [round.value, version])
  return { found, errorMessage, moreErrorMessage, round, attempt }
}

/** Previews the payouts of a result, user by user, and checks that they add up. */
export function SettlementPreview<R extends Row, T extends Totals>(props: SettlementPreviewProps<R, T>) {
  const { isVoid, holdings = [], wordsOf } = props
  const { found, errorMessage, moreErrorMessage, round, attempt } = usePreview(props)
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
      {wordsOf !== undefined && <p>{wordsOf(totals)}</p>}
      <Sum totals={totals} isVoid={isVoid} />
      {rows.length > 0 && (
        <div class="payouts">
          <Table columns={columnsOf(holdings)} rows={withOneHouse(rows)} keyOf={({ userid }) => userid} />
        </div>
      )}
      {cursor !== null && (
        <MoreUsers count={totals.users} fault={moreErrorMessage.value} onMore={() => attempt(cursor)} />
      )}
    </section>
  )
}

function columnsOf<R extends Row>(holdings: readonly Column<R>[]): readonly Column<R>[] {
  return [
    { ...{ id: 'user', label: t.settle.user, kind: 'name' }, cell: ({ userid }) => userid || house.holder },
    ...holdings,
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

function Sum({ totals, isVoid }: { readonly totals: Totals; readonly isVoid: boolean }) {
  const fault = sumFault(totals)
  return (
    <>
      <table class="sum">
        <caption class="unseen">{t.settle.money}</caption>
        <tbody>
          {sumLines(totals, isVoid).map(({ words, money }) => (
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
