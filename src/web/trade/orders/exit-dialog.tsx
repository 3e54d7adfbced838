import { useSignal } from '@preact/signals'
import type { Market, OrderRequest } from '../../../client/shapes.js'
import { UNITS_PER_RUPEE } from '../../../core/units.js'
import { hundredthsText } from '../../kit/hundredths.js'
import { countText, gainTone, rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/ticket.js'
import { account } from '../account.js'
import type { Book, OwnOrder } from '../market/ladder-rows.js'
import { userId } from '../session.js'
import { settings } from '../settings/page-settings.js'
import { useBuyingPower } from '../ticket/buying-power.js'
import { faultOf } from '../ticket/draft-faults.js'
import type { Surroundings } from '../ticket/market-limit.js'
import { atMarket } from '../ticket/market-limit.js'
import type { Outcome, TicketDraft } from '../ticket/ticket-draft.js'
import { termsOf } from '../ticket/ticket-draft.js'
import { requestOf, sendOrder } from '../ticket/ticket-order.js'
import type { TicketResult } from '../ticket/ticket-result.js'
import type { TicketState } from '../ticket/ticket-state.js'
import { chooseDeal } from '../ticket/ticket-state.js'
import type { TicketSum } from '../ticket/ticket-sum.js'
import { receivedOf, sumTicket } from '../ticket/ticket-sum.js'
import { feeText, fillText, limitText } from '../ticket/ticket-summary.jsx'
import { exitNote } from './exit-note.js'
import { OrderDialog } from './order-dialog.jsx'
import { OrderResult } from './order-result.jsx'

interface ExitDialogProps {
  readonly market: Market
  readonly book: Book
  readonly own: readonly OwnOrder[]
  readonly ticket: TicketState
  readonly outcome: Outcome
}

/** Asks whether to sell all free contracts of an outcome at market, and shows what that pays now. */
export function ExitDialog({ market, book, own, ticket, outcome }: ExitDialogProps) {
  const isSending = useSignal(false)
  const result = useSignal<TicketResult | undefined>(undefined)
  const unanswered = useSignal<OrderRequest | undefined>(undefined)
  const power = useBuyingPower(market.event_id)
  const lots = outcome === 'yes' ? power.yesLots : power.noLots
  const terms = termsOf(market)
  const tolerance = settings.value.ticket_tolerance
  const draft = exitOf(outcome, lots, { terms, power, book, own, tolerance })
  const sum = sumTicket(draft, terms, power, book, own)
  const close = () => {
    ticket.exiting.value = undefined
  }
  const send = async () => {
    if (userId.value === undefined || isSending.value) return
    isSending.value = true
    const request = unanswered.value ?? requestOf(draft, market.event_id, userId.value)
    const sent = await sendOrder(request, unanswered.value !== undefined)
    isSending.value = false
    result.value = sent.result
    unanswered.value = sent.unanswered
  }
  const title = t.exitTitle(t.outcome[outcome])
  if (result.value !== undefined) {
    const again = unanswered.value === undefined ? undefined : () => void send()
    return <OrderResult title={title} result={result.value} onClose={close} onAgain={again} />
  }
  const filledLots = sum?.estimate.filledLots ?? 0
  return (
    <OrderDialog title={title} onClose={close}>
      {sum !== undefined && filledLots > 0 && <ExitSum market={market} draft={draft} sum={sum} />}
      <p class="soft">
        {exitNote(lots, draft.lots ?? 0, filledLots, sum?.estimate.stop, t.outcome[outcome])}
      </p>
      <div class="picker-foot">
        <button type="button" class="button" onClick={close}>
          {t.cancel}
        </button>
        {filledLots < lots && (
          <button type="button" class="button" onClick={() => sellAtPrice(ticket, outcome, lots)}>
            {t.setPrice}
          </button>
        )}
        {filledLots > 0 && (
          <button
            type="button"
            class={`button button-${outcome}`}
            aria-busy={isSending.value}
            onClick={() => void send()}
            autofocus
          >
            {t.sellWhat(t.outcome[outcome], countText(filledLots / 100))}
          </button>
        )}
      </div>
    </OrderDialog>
  )
}

/** Returns the sale of all contracts at market, or of as many as the largest order allows. */
function exitOf(outcome: Outcome, lots: number, around: Surroundings): TicketDraft {
  const whole = atMarket({ deal: 'sell', outcome, lots }, around)
  const most = faultOf(whole, around.terms, around.power)?.fixes?.[0]?.lots
  return most === undefined ? whole : atMarket({ deal: 'sell', outcome, lots: most }, around)
}

/** Turns to the ticket, with a limit order for the contracts. */
function sellAtPrice(ticket: TicketState, outcome: Outcome, lots: number): void {
  ticket.exiting.value = undefined
  chooseDeal(ticket, 'sell')
  ticket.outcome.value = outcome
  ticket.orderType.value = 'LO'
  ticket.quantityText.value = hundredthsText(lots)
  ticket.isSheetOpen.value = true
}

interface ExitSumProps {
  readonly market: Market
  readonly draft: TicketDraft
  readonly sum: TicketSum
}

function ExitSum({ market, draft, sum }: ExitSumProps) {
  const { estimate } = sum
  const { filledLots } = estimate
  const receivedUnits = receivedOf(sum)
  const terms = termsOf(market)
  const name = t.outcome[draft.outcome]
  return (
    <dl class="ticket-sum">
      <dt>{t.sellsAtMarket(name)}</dt>
      <dd>{fillText(draft, sum, terms)}</dd>
      <dt>{t.worstPrice.sell}</dt>
      <dd>{limitText(draft)}</dd>
      {terms.fees !== undefined && (
        <>
          <dt>{t.fee}</dt>
          <dd>{feeText(sum, sum.proceedsUnits)}</dd>
        </>
      )}
      <dt>{t.youReceive}</dt>
      <dd>{rupeesText(receivedUnits / UNITS_PER_RUPEE)}</dd>
      <Gain eventId={market.event_id} filledLots={filledLots} receivedUnits={receivedUnits} />
      <dt>{t.givenUpIf(name)}</dt>
      <dd>{rupeesText((terms.payoutTicks * filledLots) / UNITS_PER_RUPEE)}</dd>
    </dl>
  )
}

interface GainProps {
  readonly eventId: string
  readonly filledLots: number
  readonly receivedUnits: number
}

/** The profit or loss of the sale, once the cost of the contracts is known. */
function Gain({ eventId, filledLots, receivedUnits }: GainProps) {
  const cost = account.value.valued.get(eventId)?.average_price
  if (cost === undefined || cost === null) return null
  const gain = receivedUnits / UNITS_PER_RUPEE - (cost * filledLots) / 100
  return (
    <>
      <dt>{t.profit}</dt>
      <dd class={gainTone(gain)}>{rupeesText(gain, 'signed')}</dd>
    </>
  )
}
