import type { AdminAction } from '../../../client/client.js'
import { sizeText } from '../../../api/size-text.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { dayTimeText, timeLeftText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-log.js'

/** A field of an action in words; `before` if the action changed it. */
export interface Detail {
  readonly label: string
  readonly before?: string
  readonly after: string
}

const LENGTH_MAX = 120

const rupees = (value: unknown) => rupeesText(Number(value))
const time = (value: unknown) => dayTimeText(String(value))
const WRITTEN: Readonly<Record<string, (value: unknown) => string>> = {
  start_date: time,
  end_date: time,
  min_bet: rupees,
  max_bet: rupees,
  payout: rupees,
  tick_size: rupees,
  amount: rupees,
  budget: rupees,
  start_price: rupees,
  step: rupees,
  quantity: value => countText(Number(value)),
  bytes: value => sizeText(Number(value)),
  ahead_ms: value => timeLeftText(Number(value)),
  outcome: value => t.outcomes[String(value)] ?? String(value),
}

/** Names an action; an unknown one is shown as it is. */
export function actionWords({ action }: { readonly action: string }): string {
  return t.done[action] ?? action
}

/**
 * Returns the fields of an action in words; of an edit only those that changed, if that is known.
 *
 * @param title of the event where it is shown beside them, so that its creation need not repeat it
 */
export function detailsOf(
  { fields, before }: Pick<AdminAction, 'fields' | 'before'>,
  title?: string,
): Detail[] {
  const isEdit = Object.keys(before).length > 0
  return Object.entries(fields)
    .filter(([name, value]) => (isEdit ? name in before : name !== 'title' || value !== title))
    .map(([name, value]) => ({
      label: t.fields[name] ?? name,
      ...(name in before && { before: written(name, before[name]) }),
      after: written(name, value),
    }))
}

/** Writes a detail as one line: `Title: Rain → Snow; Max order: ₹50.00`. */
export function detailText({ label, before, after }: Detail): string {
  return before === undefined ? `${label}: ${after}` : `${label}: ${before} → ${after}`
}

function written(name: string, value: unknown): string {
  if (value === null || value === '') return '–'
  const text = WRITTEN[name]?.(value) ?? (typeof value === 'string' ? value : JSON.stringify(value))
  return cut(text)
}

function cut(text: string): string {
  const letters = [...text.replace(/\s+/g, ' ')]
  return letters.length <= LENGTH_MAX ? letters.join('') : `${letters.slice(0, LENGTH_MAX - 1).join('')}…`
}
