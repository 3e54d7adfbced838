import type { Market } from '../../client/client.js'
import { dayTimeText } from '../time-texts.js'

/** How an event came out, as it was told. */
export function ToldResult({ market }: { readonly market: Market }) {
  const { outcome, resolvedAt, source_url, note, status } = market
  const words = outcome === 'void' ? 'Void: every trade is undone.' : `It came out ${outcome?.toUpperCase()}.`
  return (
    <section class={`notice told told-${outcome}`} aria-label="The result">
      <p class="told-words">{words}</p>
      <p>
        {resolvedAt !== null && `Told ${dayTimeText(resolvedAt)}. `}
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
    </section>
  )
}
