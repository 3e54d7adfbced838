import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { HouseQuotesRequest } from '../../../client/client.js'
import { failureOf } from '../../forms/action.js'
import type { FieldFault } from '../../forms/field-faults.js'
import { faultOf } from '../../forms/field-faults.js'
import { FormField } from '../../forms/form-field.jsx'
import { FormFoot } from '../../forms/form-foot.jsx'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/admin-house.js'
import { clients } from '../admin-clients.js'
import { numberIn, writtenNumber } from '../number-input.js'
import { useOperatorAction } from '../operator-action.js'
import type { AnyQuotes, HouseCardProps } from './any-quotes.js'
import { quotesIn } from './any-quotes.js'

const FIELDS = ['budget', 'start_price', 'step'] as const
const BUDGET_USUAL = 1000
/** Budgets of the slider: ₹100 to ₹10 lakh, ten to each power of ten. */
const SLIDER_MAX = 40
const PREVIEW_PAUSE_MS = 250
/** The prices beside the start that a budget's depth is counted at. */
const NEAR_RUNGS = 3

interface HouseFormProps extends HouseCardProps {
  readonly onDone: () => void
}

/** Chooses the budget of house quotes, and shows the depth that it gives before it is paid in. */
export function HouseForm({ code, callsOf, startPrice, onDone }: HouseFormProps) {
  const budget = useSignal(writtenNumber(BUDGET_USUAL))
  const start = useSignal(startPrice === undefined ? '' : writtenNumber(startPrice))
  const step = useSignal('')
  const texts = { budget: budget.value, start_price: start.value, step: step.value }
  const request = requestOf(texts)
  const { fault, isBusy, run } = useOperatorAction(FIELDS)
  const shown = usePreview({ code, callsOf }, texts)
  const submit = (event: Event) => {
    event.preventDefault()
    return run(async () => {
      await callsOf(clients.doing).fund(code, request)
      onDone()
    })
  }
  const noNumber = FIELDS.find(name => texts[name].trim() !== '' && numberIn(texts[name]) === undefined)
  const unreadable = noNumber && { field: noNumber, words: t.numberWanted }
  const wrong = unreadable ?? fault ?? (shown !== undefined && 'words' in shown ? shown : undefined)
  return (
    <form class="form card-body" onSubmit={submit} noValidate aria-label={t.title}>
      <p class="note">{t.about}</p>
      <Slider budget={budget} />
      <div class="form-line">
        <FormField name="budget" label={t.budgetField} text={budget} fault={wrong} kind="number" />
        <FormField
          name="start_price"
          label={t.startField}
          hint={startPrice === undefined ? t.evenShare : ''}
          text={start}
          fault={wrong}
          kind="number"
        />
        <FormField
          name="step"
          label={t.stepField}
          hint={t.stepHint}
          text={step}
          fault={wrong}
          kind="number"
        />
      </div>
      {shown !== undefined && !('words' in shown) && <Depth quotes={shown} />}
      <FormFoot fault={wrong}>
        <button type="submit" class="button button-main" disabled={isBusy || wrong !== undefined}>
          {t.fund(rupeesText(request.budget))}
        </button>
      </FormFoot>
    </form>
  )
}

type Texts = Readonly<Record<(typeof FIELDS)[number], string>>

function requestOf(texts: Texts): HouseQuotesRequest {
  const [start, step] = [numberIn(texts.start_price), numberIn(texts.step)]
  return {
    budget: numberIn(texts.budget) ?? 0,
    ...(start !== undefined && { start_price: start }),
    ...(step !== undefined && { step }),
  }
}

/** Returns the quotes that the form would fund, or why it would be refused, soon after each change. */
function usePreview(
  { code, callsOf }: Pick<HouseCardProps, 'code' | 'callsOf'>,
  texts: Texts,
): AnyQuotes | FieldFault | undefined {
  const preview = useSignal<AnyQuotes | FieldFault | undefined>(undefined)
  useEffect(() => {
    let isOver = false
    const timer = setTimeout(async () => {
      const found = await callsOf(clients.asking)
        .preview(code, requestOf(texts))
        .catch(error => faultOf(failureOf(error), FIELDS))
      if (!isOver) preview.value = found
    }, PREVIEW_PAUSE_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [code, ...FIELDS.map(name => texts[name])])
  return preview.value
}

/** Sets the budget by hand. */
function Slider({ budget }: { readonly budget: Signal<string> }) {
  const rupees = numberIn(budget.value) ?? 0
  return (
    <input
      type="range"
      class="house-slider"
      min={0}
      max={SLIDER_MAX}
      value={sliderAt(rupees)}
      aria-label={t.budget}
      aria-valuetext={rupeesText(rupees)}
      onInput={event => {
        budget.value = writtenNumber(budgetAt(Number(event.currentTarget.value)))
      }}
    />
  )
}

/** Says how much could be traded near the start price, and the most that it can cost. */
function Depth({ quotes }: { readonly quotes: AnyQuotes }) {
  const outcomes = quotesIn(quotes)
  const [first] = outcomes
  if (first === undefined) return null
  const near = (side: 'yes' | 'no') => first.rungs.filter(rung => rung.side === side).slice(0, NEAR_RUNGS)
  const sum = (side: 'yes' | 'no') =>
    countText(near(side).reduce((total, { quantity }) => total + quantity, 0))
  const bound = rupeesText(quotes.max_loss ?? 0)
  return (
    <div class="house-depth" role="status">
      {outcomes.length > 1 && <p class="faint">{t.each}</p>}
      <p>
        {t.sells(sum('no'), rupeesText(near('no').at(-1)?.price ?? first.start_price))}
        {' · '}
        {near('yes').length === 0
          ? t.asksOnly
          : t.buys(sum('yes'), rupeesText(near('yes').at(-1)?.price ?? first.start_price))}
      </p>
      <p>
        <b>{t.neverMore(bound)}</b>
      </p>
    </div>
  )
}

/** Returns the budget of a place of the slider, in two digits: 100, 130, 160, 200 … */
function budgetAt(place: number): number {
  return Number((100 * 10 ** (place / 10)).toPrecision(2))
}

function sliderAt(budget: number): number {
  return Math.max(0, Math.min(SLIDER_MAX, Math.round(10 * Math.log10(budget / 100))))
}
