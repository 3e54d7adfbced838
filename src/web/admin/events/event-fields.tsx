import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import type { Market } from '../../../client/client.js'
import type { FieldFault } from '../../forms/field-faults.js'
import { FormField } from '../../forms/form-field.jsx'
import type { EventDraft, EventField } from './event-draft.js'
import { EVENT_FIELDS } from './event-draft.js'

/** Each field's text. */
export type EventTexts = Readonly<Record<EventField, Signal<string>>>

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone
const TICK_SIZES = ['0.01', '0.05', '0.1', '0.5']

/** Creates the form’s texts from a draft. */
export function useEventTexts(draft: EventDraft): EventTexts {
  return {
    title: useSignal(draft.title),
    description: useSignal(draft.description),
    sot: useSignal(draft.sot),
    category: useSignal(draft.category),
    source_url: useSignal(draft.source_url),
    start_date: useSignal(draft.start_date),
    end_date: useSignal(draft.end_date),
    min_bet: useSignal(draft.min_bet),
    max_bet: useSignal(draft.max_bet),
    quantity: useSignal(draft.quantity),
    payout: useSignal(draft.payout),
    tick_size: useSignal(draft.tick_size),
  }
}

export function draftIn(texts: EventTexts): EventDraft {
  return Object.fromEntries(EVENT_FIELDS.map(field => [field, texts[field].value])) as EventDraft
}

interface EventFieldsProps {
  readonly texts: EventTexts
  readonly fault: FieldFault | undefined
  /** The existing event in an edit: fields that can no longer change are disabled. */
  readonly market?: Market
  readonly categories?: readonly string[]
}

/** The fields of an event form. */
export function EventFields({ texts, fault, market, categories = [] }: EventFieldsProps) {
  const status = market?.status
  const isTrading = status === undefined || ['scheduled', 'open', 'halted'].includes(status)
  const hasBegun = status !== undefined && status !== 'scheduled'
  const over = isTrading ? undefined : 'Cannot be changed after trading closes.'
  const fixed = market === undefined ? undefined : 'Cannot be changed after creation.'
  const field = (name: EventField, label: string, hint: string, why?: string) => ({
    name,
    label,
    text: texts[name],
    fault,
    hint: why ?? hint,
    disabled: why !== undefined,
  })
  return (
    <>
      <FormField {...field('title', 'Question', 'A question that can be answered yes or no.')} />
      <FormField
        {...field('description', 'Rules', 'When it resolves YES, NO or void. Shown to traders.')}
        kind="long"
      />
      <div class="form-line">
        <FormField
          {...field(
            'start_date',
            'Opens',
            ZONE,
            hasBegun ? 'Cannot be changed after trading opens.' : undefined,
          )}
          kind="time"
        />
        <FormField {...field('end_date', 'Closes', ZONE, over)} kind="time" />
        <FormField {...field('category', 'Category', 'Optional. Traders filter by it.')} known={categories} />
      </div>
      <div class="form-line">
        <FormField {...field('sot', 'Source', 'Who decides the result, for example IMD.')} />
        <FormField {...field('source_url', 'Source link', 'Optional. Where the result will be published.')} />
      </div>
      <div class="form-line form-line-numbers">
        <FormField {...field('min_bet', 'Minimum order, ₹', 'Order value in ₹.', over)} kind="number" />
        <FormField {...field('max_bet', 'Maximum order, ₹', 'Order value in ₹.', over)} kind="number" />
        <FormField
          {...field('quantity', 'Open-interest cap', 'Contracts of each outcome.', over)}
          kind="number"
        />
        <FormField {...field('payout', 'Payout, ₹', 'Per contract, 1 to 100.', fixed)} kind="number" />
        <TickField text={texts.tick_size} fixed={fixed} />
      </div>
    </>
  )
}

function TickField({ text, fixed }: { readonly text: Signal<string>; readonly fixed: string | undefined }) {
  return (
    <div class="form-field">
      <label for="field-tick_size">Price step, ₹</label>
      <select
        id="field-tick_size"
        class="field"
        value={text.value}
        disabled={fixed !== undefined}
        aria-describedby="note-tick_size"
        onChange={event => {
          text.value = event.currentTarget.value
        }}
      >
        {TICK_SIZES.map(size => (
          <option key={size} value={size}>
            {Number(size).toFixed(2)}
          </option>
        ))}
      </select>
      <p id="note-tick_size" class="note">
        {fixed ?? 'Smallest price change.'}
      </p>
    </div>
  )
}
