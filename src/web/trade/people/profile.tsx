import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Profile, SeasonPlace } from '../../../client/shapes.js'
import { nowMs } from '../../kit/browser-clock.js'
import { Avatar } from '../../kit/avatar.jsx'
import { errorText } from '../../kit/error-text.js'
import { chanceText, countText, gainTone, rupeesText } from '../../kit/number-texts.js'
import type { Column } from '../../kit/table.jsx'
import { Table } from '../../kit/table.jsx'
import { clockText, dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/profiles.js'
import { exchange } from '../exchange-client.js'
import { MarketLink } from '../market-link.jsx'
import { userId } from '../session.js'
import { isGroup } from '../titles.js'
import { BADGE_BARS, badgesOf } from './badges.js'
import { CalibrationPlot } from './calibration-plot.jsx'
import { CommentText, PositionTag } from './comment-row.jsx'
import { agoText, dayText, figureText } from './figure-texts.js'
import { ListingCard } from './listing-card.jsx'
import { ProfitCourse } from './profit-course.jsx'

const SPANS = [
  ['7d', t.days(7)],
  ['30d', t.days(30)],
  ['all', t.allTime],
] as const

/** The public profile of a user. */
export function ProfileView({ userid }: { readonly userid: string }) {
  const profile = useSignal<Profile | undefined>(undefined)
  const fault = useSignal('')
  useEffect(() => {
    exchange.site.fetchProfile(userid).then(
      found => {
        profile.value = found
      },
      error => {
        fault.value = (error as { code?: number }).code === 404 ? t.noProfile : errorText(error)
      },
    )
  }, [userid])
  const shown = profile.value
  return (
    <div class="people">
      {shown === undefined && fault.value === '' && <p class="empty">{t.loading}</p>}
      {fault.value !== '' && (
        <section class="card welcome">
          <h1>{fault.value}</h1>
          <p class="soft">
            <a href="/people">{t.allPeople}</a>
          </p>
        </section>
      )}
      {shown !== undefined && <Shown profile={shown} />}
      {userid === userId.value && <ListingCard isOnProfile />}
    </div>
  )
}

function Shown({ profile }: { readonly profile: Profile }) {
  const { userid, is_bot, since, as_of, is_complete } = profile
  return (
    <>
      <header class="profile-head">
        <h1 dir="auto">
          <Avatar name={userid} /> {userid} {is_bot && <span class="tag">{t.bot}</span>}
        </h1>
        {since !== null && <p class="soft">{t.since(dayText(since))}</p>}
        <Badges profile={profile} />
      </header>
      {profile.figures.all.events > 0 && (
        <div class="profile-charts">
          <section class="card" aria-labelledby="course-title">
            <h2 id="course-title">{t.course}</h2>
            <div class="card-body">
              <ProfitCourse course={profile.course} />
              <Calls profile={profile} />
            </div>
          </section>
          <section class="card" aria-labelledby="calibration-title">
            <h2 id="calibration-title">{t.forecasts}</h2>
            <div class="card-body">
              <CalibrationPlot calibration={profile.calibration} />
            </div>
          </section>
        </div>
      )}
      <section class="card profile-figures" aria-label={t.leaderboard}>
        <Table columns={columnsOf(profile)} rows={SPANS} keyOf={([span]) => span} />
        <p class="leaderboard-note faint">
          {t.asOf(clockText(as_of))} {!is_complete && t.counting} <a href="/people">{t.allPeople}</a>
        </p>
      </section>
      {profile.seasons.length > 0 && (
        <section class="card profile-figures" aria-label={t.seasons}>
          <Table columns={SEASON_COLUMNS} rows={profile.seasons} keyOf={({ season }) => String(season)} />
        </section>
      )}
      <section class="card" aria-labelledby="written-title">
        <h2 id="written-title">{t.newest}</h2>
        <div class="card-body">
          <Written profile={profile} />
        </div>
      </section>
    </>
  )
}

const SEASON_COLUMNS: readonly Column<SeasonPlace>[] = [
  { ...{ id: 'season', label: t.season, isHead: true }, cell: ({ name }) => name },
  {
    ...{ id: 'rank', label: t.rank, kind: 'number' },
    cell: ({ rank, of }) => t.placeOf(countText(rank), countText(of)),
  },
  {
    ...{ id: 'profit', label: t.profit, kind: 'number' },
    cell: ({ profit }) => rupeesText(profit, 'signed'),
    tone: ({ profit }) => gainTone(profit),
  },
]

function Badges({ profile }: { readonly profile: Profile }) {
  const badges = badgesOf(profile)
  if (badges.length === 0) return null
  return (
    <ul class="badges" aria-label={t.badges}>
      {badges.map(badge => (
        <li key={badge}>
          <b>{t.badgeNames[badge]}</b> <span class="soft">{t.badgeMeans(BADGE_BARS)[badge]}</span>
        </li>
      ))}
    </ul>
  )
}

/** The events that brought the greatest profit. */
function Calls({ profile: { best, won, figures } }: { readonly profile: Profile }) {
  if (best.length === 0) return null
  return (
    <>
      <h3 class="profile-calls-title">{t.bestCalls}</h3>
      <ol class="profile-calls">
        {best.map(({ event_id, outcome, profit, forecast }) => (
          <li key={event_id}>
            <MarketLink eventId={event_id} />
            <span class="faint">
              {forecast === null
                ? !isGroup(event_id) && t.result(outcome)
                : t.calledAt(outcome, chanceText(outcome === 'yes' ? forecast : 1 - forecast, 'headline'))}
            </span>
            <b class="gain">{rupeesText(profit, 'signed')}</b>
          </li>
        ))}
      </ol>
      <p class="faint">{t.wonOf(won, figures.all.events)}</p>
    </>
  )
}

function columnsOf({ figures }: Profile): readonly Column<(typeof SPANS)[number]>[] {
  return [
    { ...{ id: 'span', label: t.span, isHead: true }, cell: ([, name]) => name },
    {
      ...{ id: 'profit', label: t.profit, kind: 'number' },
      cell: ([span]) => figureText('profit', figures[span]),
      tone: ([span]) => gainTone(figures[span].profit),
    },
    {
      ...{ id: 'volume', label: t.volume, kind: 'number' },
      cell: ([span]) => figureText('volume', figures[span]),
    },
    {
      ...{ id: 'brier', label: t.brier, kind: 'number' },
      cell: ([span]) => figureText('calibration', figures[span]),
    },
    {
      ...{ id: 'events', label: t.events, kind: 'number', isRoomy: true },
      cell: ([span]) => countText(figures[span].events),
    },
  ]
}

function Written({ profile: { comments } }: { readonly profile: Profile }) {
  if (comments.length === 0) return <p class="faint">{t.noneWritten}</p>
  return (
    <ol class="comment-rows">
      {comments.map(comment => (
        <li key={comment.id} class="comment">
          <p class="comment-head">
            <MarketLink eventId={comment.event_id} />
            <PositionTag position={comment.position} />
            <time class="faint" dateTime={comment.createdAt} title={dayTimeText(comment.createdAt)}>
              {agoText(comment.createdAt, nowMs())}
            </time>
          </p>
          <CommentText comment={comment} />
        </li>
      ))}
    </ol>
  )
}
