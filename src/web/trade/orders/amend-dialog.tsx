import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Market, Order } from '../../../client/shapes.js'
import {
  LOTS_PER_CONTRACT,
  QUANTITY_LOTS_MAX,
  TICKS_PER_RUPEE,
  UNITS_PER_RUPEE,
} from '../../../core/units.js'
import { Stepper } from '../../kit/choice.jsx'
import { errorText } from '../../kit/error-text.js'
import { hundredthsText } from '../../kit/hundredths.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/ticket.js'
import { exchange } from '../exchange-client.js'
import { termsOf } from '../ticket/ticket-draft.js'
import type { TicketResult } from '../ticket/ticket-result.js'
import type { AmendingPower, AmendmentPlan } from './amendment.js'
import { ownLockedLots, planAmendment } from './amendment.js'
import { OrderDialog } from './order-dialog.jsx'
import { OrderResult } from './order-result.jsx'
import { typedNumbers } from './typed-numbers.js'
import { account } from '../account.js'
import { useBuyingPower } from '../ticket/buying-power.js'
import { reasonText } from '../../kit/reason-text.js'
import { checkSession } from '../session-watch.js'
import { resultOf } from '../ticket/ticket-result.js'

interface AmendDialogProps {
  readonly order: Order
  readonly onClose: () => void
}

/** Changes the price or the quantity of an open order. */
export function AmendDialog({ order, onClose }: AmendDialogProps) {
  const market = useSignal<Market | undefined>(undefined)
  const result = useSignal<TicketResult | undefined>(undefined)
  useEffect(() => {
    exchange.fetchMarket(order.event_id).then(
      found => {
        market.value = found
      },
      error => {
        result.value = { mood: 'bad', words: errorText(error) }
      },
    )
  }, [])
  const title = t.amendTitle(t.dealName[order.offer_type](t.outcome[order.outcome]))
  if (result.value !== undefined) return <OrderResult title={title} result={result.value} onClose={onClose} />
  return (
    <OrderDialog title={title} onClose={onClose}>
      {market.value === undefined ? (
        <p class="soft">{t.loading}</p>
      ) : (
        <AmendForm order={order} market={market.value} result={result} onClose={onClose} />
      )}
    </OrderDialog>
  )
}

interface AmendFormProps extends AmendDialogProps {
  readonly market: Market
  readonly result: Signal<TicketResult | undefined>
}

function AmendForm({ order, market, result, onClose }: AmendFormProps) {
  const priceText = useSignal(order.price.toFixed(2))
  const quantityText = useSignal(String(order.quantity))
  const isSending = useSignal(false)
  const terms = termsOf(market)
  const power = useAmendingPower(order)
  const plan = planAmendment(order, typedNumbers(priceText.value, quantityText.value), terms, power)
  const isChanged = Object.keys(plan.change).length > 0
  const send = async (event: Event) => {
    event.preventDefault()
    if (plan.fault !== undefined || !isChanged || isSending.value) return
    isSending.value = true
    result.value = await sendAmendment(order.id, plan.change)
  }
  return (
    <form class="amend" onSubmit={event => void send(event)} noValidate>
      <Stepper
        id="amend-price"
        label={t.price}
        hint={t.perContract(rupeesText(market.payout), t.outcome[order.outcome])}
        text={priceText}
        write={ticks => (ticks / TICKS_PER_RUPEE).toFixed(2)}
        step={terms.tickTicks}
        min={10}
        max={terms.payoutTicks - 10}
        isWrong={plan.fault?.field === 'price'}
        describedBy="amend-fault"
      />
      <Stepper
        id="amend-quantity"
        label={t.quantity}
        hint={order.filled_quantity === 0 ? t.contracts : t.withFilled(countText(order.filled_quantity))}
        text={quantityText}
        write={hundredthsText}
        step={LOTS_PER_CONTRACT}
        min={10}
        max={QUANTITY_LOTS_MAX}
        isWrong={plan.fault?.field === 'quantity'}
        describedBy="amend-fault"
      />
      <p id="amend-fault" class="fault" role="alert">
        {plan.fault?.words}
      </p>
      <AmendFixes order={order} plan={plan} priceText={priceText} quantityText={quantityText} />
      <p class="soft amend-note">{noteOf(plan, isChanged)}</p>
      <div class="picker-foot">
        <button type="button" class="button" onClick={onClose}>
          {t.keepOrder}
        </button>
        <button type="submit" class="button button-main" disabled={!isChanged} aria-busy={isSending.value}>
          {t.changeOrder}
        </button>
      </div>
    </form>
  )
}

/** Says what the change costs and does to the order’s place in the queue. */
function noteOf({ fault, keepsPlace, heldUnits }: AmendmentPlan, isChanged: boolean): string {
  if (fault !== undefined) return ''
  if (!isChanged) return t.amendHint
  const place = keepsPlace ? t.keepsPlace : t.losesPlace
  return `${t.openPartCosts(rupeesText(heldUnits / UNITS_PER_RUPEE))} ${place}`
}

interface AmendFixesProps {
  readonly order: Order
  readonly plan: AmendmentPlan
  readonly priceText: Signal<string>
  readonly quantityText: Signal<string>
}

function AmendFixes({ order, plan, priceText, quantityText }: AmendFixesProps) {
  // The fixes of a sale that may go short speak of the other outcome.
  const isShort = order.offer_type === 'sell' && !order.reduce_only
  const fixes = isShort ? [] : (plan.fault?.fixes ?? [])
  return (
    <div class="chips">
      {fixes.map(({ label, priceTicks, lots }) => (
        <button
          key={label}
          type="button"
          class="chip"
          onClick={() => {
            if (priceTicks !== undefined) priceText.value = (priceTicks / TICKS_PER_RUPEE).toFixed(2)
            if (lots !== undefined) quantityText.value = hundredthsText(lots)
          }}
        >
          {label}
        </button>
      ))}
    </div>
  )
}

/** Returns what a user can trade with in a market, and what open orders lock there. */
function useAmendingPower(order: Order): AmendingPower {
  const power = useBuyingPower(order.event_id)
  const { positions, orders = [] } = account.value
  const position = positions?.find(({ event_id }) => event_id === order.event_id)
  const lots = (contracts = 0) => Math.round(contracts * LOTS_PER_CONTRACT)
  const locked = { yesLocked: lots(position?.yes_locked), noLocked: lots(position?.no_locked) }
  return { ...power, ...locked, ownLocked: ownLockedLots(order, orders, locked) }
}

/** Sends a change to an open order; returns the result or the refusal. */
async function sendAmendment(id: string, change: AmendmentPlan['change']): Promise<TicketResult> {
  try {
    const { words, ...result } = resultOf(await exchange.amendOrder(id, change))
    return { ...result, words: t.changed(words) }
  } catch (error) {
    checkSession(error)
    return { mood: 'bad', words: refusalText(error) }
  }
}

function refusalText(error: unknown): string {
  const { code, reason } = error as { readonly code?: number; readonly reason?: string }
  if (code !== 409 || reason === undefined) return errorText(error)
  return reason === 'order_ended' ? t.orderEnded : t.notChanged(reasonText(reason))
}
