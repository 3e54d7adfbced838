import type { Market } from '../../../../client/client.js'
import { nowMs } from '../../../kit/browser-clock.js'
import { copyOf } from '../event-copy.js'
import { withPlaceholders } from './placeholders.js'
import { SaveTemplate } from './save-template.jsx'

/** Saves an event as a template, with `{date}` where its texts have the day of closing. */
export function EventTemplateCard({ market }: { readonly market: Market }) {
  const draft = withPlaceholders(copyOf(market, nowMs()), market.end_date)
  return <SaveTemplate draft={draft} name="" showsTitle />
}
