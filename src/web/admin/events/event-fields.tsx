import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { Market } from '../../../client/client.js'
import type { FieldFault } from '../../forms/field-faults.js'
import { FormField } from '../../forms/form-field.jsx'
import { nowMs } from '../../kit/browser-clock.js'
import { zoneText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-events.js'
import { numberIn } from '../number-input.js'
import { rateHint } from './fee-words.js'
import type { EventDraft, EventField } from './event-draft.js'
import { EVENT_FIELDS } from './event-draft.js'

/** Each field's text. */
export type EventTexts = Readonly<Record<EventField, Signal<string>>>

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
    fee_taker_bp: useSignal(draft.fee_taker_bp),
    fee_maker_bp: useSignal(draft.fee_maker_bp),
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
  /** Of a group: the notes below its title and rules. */
  readonly hints?: Pick<typeof t.hints, 'title' | 'description'>
  /** Fields between the words and the terms. */
  readonly children?: ComponentChildren
}

/** The fields of an event form. */
export function EventFields(props: EventFieldsProps) {
  const { texts, fault, market, categories = [], hints = t.hints, children } = props
  const status = market?.status
  const isTrading = status === undefined || ['scheduled', 'open', 'halted'].includes(status)
  const hasBegun = status !== undefined && status !== 'scheduled'
  const over = isTrading ? undefined : t.hints.overNow
  const begun = hasBegun ? t.hints.hasBegun : undefined
  const fixed = market === undefined ? undefined : t.hints.fixed
  const zone = zoneText(nowMs())
  const field = (name: EventField, hint: string, why?: string) => ({
    name,
    label: t.fields[name],
    text: texts[name],
    fault,
    hint: why ?? hint,
    disabled: why !== undefined,
  })
  return (
    <>
      <FormField {...field('title', hints.title)} />
      <FormField {...field('description', hints.description)} kind="long" />
      {children}
      <div class="form-line">
        <FormField {...field('start_date', zone, begun)} kind="time" />
        <FormField {...field('end_date', zone, over)} kind="time" />
        <FormField {...field('category', t.hints.category)} known={categories} />
      </div>
      <div class="form-line">
        <FormField {...field('sot', t.hints.sot)} />
        <FormField {...field('source_url', t.hints.source_url)} />
      </div>
      <div class="form-line form-line-numbers">
        <FormField {...field('min_bet', t.hints.bet, over)} kind="number" />
        <FormField {...field('max_bet', t.hints.bet, over)} kind="number" />
        <FormField {...field('quantity', t.hints.quantity, over)} kind="number" />
        <FormField {...field('payout', t.hints.payout, fixed)} kind="number" />
        <TickField text={texts.tick_size} fixed={fixed} />
      </div>
      <FeeFields texts={texts} fault={fault} payout={numberIn(texts.payout.value)} over={over} />
    </>
  )
}

interface FeeFieldsProps {
  readonly texts: Pick<EventTexts, 'fee_taker_bp' | 'fee_maker_bp'>
  readonly fault: FieldFault | undefined
  readonly payout: number | undefined
  /** Why the rates can no longer change. */
  readonly over?: string | undefined
}

/** The fee rates, in basis points, with what they mean below. */
export function FeeFields({ texts, fault, payout, over }: FeeFieldsProps) {
  return (
    <div class="form-line">
      {(['fee_taker_bp', 'fee_maker_bp'] as const).map(name => (
        <FormField
          key={name}
          name={name}
          label={t.fields[name]}
          text={texts[name]}
          fault={fault}
          hint={over ?? rateHint(texts[name].value, payout)}
          disabled={over !== undefined}
          kind="number"
        />
      ))}
    </div>
  )
}

function TickField({ text, fixed }: { readonly text: Signal<string>; readonly fixed: string | undefined }) {
  return (
    <div class="form-field">
      <label for="field-tick_size">{t.fields.tick_size}</label>
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
        {fixed ?? t.hints.tick_size}
      </p>
    </div>
  )
}
