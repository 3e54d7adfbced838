import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { oppositeSide } from '../../../core/order.js'
import { TICKS_PER_RUPEE, UNITS_PER_RUPEE } from '../../../core/units.js'
import { Icon } from '../../kit/icons.jsx'
import { Later } from '../../kit/later.jsx'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/ticket.js'
import type { TicketDraft, TicketTerms } from './ticket-draft.js'
import { yesTicks } from './ticket-draft.js'
import type { TicketSum } from './ticket-sum.js'
import { receivedOf } from './ticket-sum.js'

const rupees = (units: number) => rupeesText(units / UNITS_PER_RUPEE)

interface TicketSummaryProps {
  readonly draft: TicketDraft
  /** Undefined while there is nothing to total; then every line has a dash. */
  readonly sum: TicketSum | undefined
  readonly terms: TicketTerms
}

/** Cost, payout and expected fills, always in the same number of lines. */
export function TicketSummary({ draft, sum, terms }: TicketSummaryProps) {
  const name = t.outcome[draft.outcome]
  const hasFees = terms.fees !== undefined
  const line = (label: string, figure: (sum: TicketSum) => ComponentChildren) => (
    <>
      <dt>{label}</dt>
      <dd>{sum === undefined ? '–' : figure(sum)}</dd>
    </>
  )
  const fee = (worthOf: (sum: TicketSum) => number) =>
    hasFees && (
      <FeeLine terms={terms} draft={draft} sum={sum}>
        {sum === undefined ? '–' : feeText(sum, worthOf(sum))}
      </FeeLine>
    )
  return (
    <dl class="ticket-sum">
      {draft.amount !== undefined && line(t.contractsBought, () => boughtText(draft))}
      {draft.deal === 'buy' ? (
        <>
          {line(t.cost, ({ costUnits }) => rupees(costUnits))}
          {fee(({ costUnits }) => costUnits)}
          {hasFees && line(t.total, ({ costUnits, feeUnits }) => <b>{rupees(costUnits + feeUnits)}</b>)}
          {line(t.payoutIf(name), total => (
            <Gain sum={total} />
          ))}
        </>
      ) : (
        <>
          {fee(({ proceedsUnits }) => proceedsUnits)}
          {line(t.youReceive, total => rupees(receivedOf(total)))}
          {line(t.givenUpIf(name), ({ soldLots }) => rupees(terms.payoutTicks * soldLots))}
        </>
      )}
      {line(t.fillsNow, total => fillText(draft, total, terms))}
      {draft.orderType === 'MO' && line(t.worstPrice[draft.deal], () => limitText(draft))}
      <dd class="ticket-note">{sum === undefined ? '' : noteText(draft, sum)}</dd>
    </dl>
  )
}

const feeCurve = () => import('./fee-curve.jsx').then(({ FeeCurve }) => FeeCurve)

/** The fee, with a button that shows how it depends on the price. */
function FeeLine({ draft, sum, terms, children }: TicketSummaryProps & { readonly children: string }) {
  const isOpen = useSignal(false)
  const { fees, payoutTicks } = terms
  const takes = sum === undefined || sum.estimate.filledLots > 0
  const rate = takes ? fees?.taker : fees?.maker
  return (
    <>
      <dt>
        {t.fee}
        <button
          type="button"
          class="fee-info"
          aria-label={t.feeHow}
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value
          }}
        >
          <Icon shape="info" />
        </button>
      </dt>
      <dd>{children}</dd>
      {isOpen.value && (
        <dd class="fee-curve-room">
          <Later load={feeCurve} props={{ rate: rate ?? 0, payoutTicks, priceTicks: draft.priceTicks }} />
        </dd>
      )}
    </>
  )
}

function Gain({ sum }: { readonly sum: TicketSum }) {
  return (
    <>
      {rupees(sum.payoutUnits)}{' '}
      <span class="faint">
        {rupeesText((sum.payoutUnits - sum.costUnits - sum.feeUnits) / UNITS_PER_RUPEE, 'signed')}
      </span>
    </>
  )
}

/** Returns the fee, and what share of the order's cost or proceeds it is. */
export function feeText({ feeUnits }: TicketSum, worthUnits: number): string {
  const percent = worthUnits === 0 ? 0 : (100 * feeUnits) / worthUnits
  return t.feeOf(rupees(feeUnits), percent.toFixed(1).replace(/\.0$/, ''))
}

/** Returns the worst price at which an order at market may trade. */
export function limitText({ priceTicks }: TicketDraft): string {
  return priceTicks === undefined ? '–' : rupeesText(priceTicks / TICKS_PER_RUPEE)
}

/** Returns the contracts that an amount buys, and what is left of it. */
function boughtText({ lots = 0, amount }: TicketDraft): string {
  const left = amount?.leftUnits ?? 0
  const contracts = countText(lots / 100)
  // Less than a paisa is not worth a word.
  return left < 100 ? contracts : t.leftOver(contracts, rupees(Math.floor(left / 100) * 100))
}

/** Returns how much of an order fills at once, and its average price. */
export function fillText(
  { outcome }: Pick<TicketDraft, 'outcome'>,
  { estimate }: TicketSum,
  { payoutTicks }: TicketTerms,
): string {
  const { filledLots, tradedUnits } = estimate
  if (filledLots === 0) return '0'
  const average = yesTicks(outcome, tradedUnits / filledLots, payoutTicks) / TICKS_PER_RUPEE
  return t.fillsAt(countText(filledLots / 100), rupeesText(average))
}

/** Returns the most important note about the order. */
function noteText({ deal, outcome, orderType, lots = 0 }: TicketDraft, sum: TicketSum): string {
  const { estimate, restingLots, soldLots, proceedsUnits } = sum
  if (estimate.stop === 'self_trade') return t.stopsAtOwn
  if (deal === 'buy' && soldLots > 0) {
    return t.sellsFirst(countText(soldLots / 100), t.outcome[oppositeSide(outcome)], rupees(proceedsUnits))
  }
  if (restingLots > 0) return t.willRest(countText(restingLots / 100))
  if (orderType === 'MO' && estimate.filledLots < lots) return deal === 'buy' ? t.fewSellers : t.fewBuyers
  return ''
}
