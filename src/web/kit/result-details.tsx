import type { Market } from '../../client/shapes.js'
import { t } from '../texts/kit.js'
import { dayTimeText } from './time-texts.js'

/** Shows when and why a market was resolved, with a link to the source. */
export function ResultDetails({ market }: { readonly market: Market }) {
  const { status, resolvedAt, source_url, note } = market
  return (
    <p>
      {resolvedAt !== null && `${t.resolvedOn(dayTimeText(resolvedAt))} `}
      {status === 'resolved' && `${t.payingOut} `}
      {note}
      {source_url !== null && /^https?:/.test(source_url) && (
        <>
          {' '}
          <a href={source_url} rel="noopener noreferrer nofollow" target="_blank">
            {t.source}
          </a>
        </>
      )}
    </p>
  )
}
