import type { Market } from '../../client/shapes.js'
import { dayTimeText } from './time-texts.js'

/** When an outcome was told, why, and where one can read it. */
export function ResultDetails({ market }: { readonly market: Market }) {
  const { status, resolvedAt, source_url, note } = market
  return (
    <p>
      {resolvedAt !== null && <>Decided {dayTimeText(resolvedAt)}. </>}
      {status === 'resolved' && 'Being paid out. '}
      {note}
      {source_url !== null && /^https?:/.test(source_url) && (
        <>
          {' '}
          <a href={source_url} rel="noopener noreferrer nofollow" target="_blank">
            Source
          </a>
        </>
      )}
    </p>
  )
}
