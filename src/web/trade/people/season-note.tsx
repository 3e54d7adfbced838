import type { Season } from '../../../client/shapes.js'
import { rupeesText } from '../../kit/number-texts.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/profiles.js'

/** Says which season is running, and which one comes next. */
export function SeasonNote({ seasons }: { readonly seasons: readonly Season[] }) {
  const running = seasons.find(({ status }) => status === 'running' || status === 'turning')
  const next = seasons.find(({ status }) => status === 'planned')
  if (running === undefined && next === undefined) return null
  return (
    <p class="leaderboard-note season-note">
      {running !== undefined && (
        <>
          <b>{running.name}</b> {t.seasonEnds(dayTimeText(running.ends_at), rupeesText(running.stake))}{' '}
        </>
      )}
      {next !== undefined && (
        <>
          <b>{next.name}</b> {t.seasonStarts(dayTimeText(next.starts_at), rupeesText(next.stake))}{' '}
        </>
      )}
      <a href="/docs/guides/seasons">{t.seasonsGuide}</a>
    </p>
  )
}
