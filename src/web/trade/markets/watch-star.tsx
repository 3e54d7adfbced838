import { Icon } from '../../kit/icons.jsx'
import { t } from '../../texts/markets.js'
import { toggleWatched, watchlist } from './watchlist.js'

/** Puts a market on the watchlist, or takes it off. */
export function WatchStar({ code, title }: { readonly code: string; readonly title: string }) {
  return (
    <button
      type="button"
      class="watch-star"
      aria-pressed={watchlist.value.includes(code)}
      aria-label={t.watch(title)}
      title={watchlist.value.includes(code) ? t.unwatchHint : t.watchHint}
      onClick={() => toggleWatched(code)}
    >
      <Icon shape="star" />
    </button>
  )
}
