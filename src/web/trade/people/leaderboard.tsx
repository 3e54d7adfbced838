import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Leaderboard, Ranking, Season, Span } from '../../../client/shapes.js'
import { Avatar } from '../../kit/avatar.jsx'
import { Choice } from '../../kit/choice.jsx'
import { errorText } from '../../kit/error-text.js'
import { countText, gainTone } from '../../kit/number-texts.js'
import type { Column } from '../../kit/table.jsx'
import { Table } from '../../kit/table.jsx'
import { clockText } from '../../kit/time-texts.js'
import { t } from '../../texts/profiles.js'
import { exchange } from '../exchange-client.js'
import { userId } from '../session.js'
import { figureText } from './figure-texts.js'
import { listedAt } from './listing-card.jsx'
import { SeasonNote } from './season-note.jsx'
import { PeopleLink } from './people-link.jsx'

const FIGURES = ['profit', 'volume', 'calibration'] as const
const HEADS = { profit: t.profit, volume: t.volume, calibration: t.brier } as const
/** While older trades are counted, each request counts some more. */
const GO_ON_MS = 1000
/** Ranks that are in sight without scrolling. */
const IN_SIGHT = 10
/** The seasons with boards to choose, the newest. */
const SEASONS_SHOWN = 3

/** A span, or the season of a number. */
type Period = Span | `season ${number}`

type Person = Leaderboard['people'][number]

/** The best users by a figure over a span. */
export function LeaderboardView() {
  const by = useSignal<Ranking>('profit')
  const period = useSignal<Period>('30d')
  const seasons = useSeasons()
  const { board, fault } = useBoard(by.value, period.value)
  return (
    <section class="card leaderboard" aria-label={t.leaderboard}>
      <div class="leaderboard-choices">
        <Choice
          name="ranking"
          legend={t.rankedBy}
          value={by}
          options={FIGURES.map(figure => [figure, t.rankings[figure]] as const)}
        />
        <Choice
          name="span"
          legend={t.span}
          value={period}
          options={[['7d', t.days(7)], ['30d', t.days(30)], ['all', t.allTime], ...boardsOf(seasons)]}
        />
      </div>
      <SeasonNote seasons={seasons} />
      <p class="leaderboard-note soft">
        {t.means[by.value]} <a href="/docs/guides/pages#the-leaderboard">{t.howCounted}</a>
      </p>
      <p class="fault" role="alert">
        {fault}
      </p>
      {board === undefined && fault === '' && <p class="empty">{t.loading}</p>}
      {board !== undefined && (
        <>
          {board.people.length === 0 ? (
            <p class="empty">{t.nobodyRanked[board.by]}</p>
          ) : (
            <Table
              columns={columnsOf(board.by, board.season !== null)}
              rows={withOwn(board)}
              keyOf={({ userid }) => userid}
              rowClass={person => rowClassOf(person, board)}
            />
          )}
          <p class="leaderboard-note faint">
            {t.asOf(clockText(board.as_of))} {!board.is_complete && t.counting}
          </p>
        </>
      )}
    </section>
  )
}

/** Returns the rows of a board, the own one on top where one would have to look for it. */
function withOwn({ people, own }: Leaderboard): readonly Person[] {
  if (own === null || own.rank <= IN_SIGHT) return people
  return [own, ...people.filter(({ userid }) => userid !== own.userid)]
}

function rowClassOf({ userid, rank }: Person, { own }: Leaderboard): string | undefined {
  if (userid !== userId.value) return undefined
  return own !== null && rank > IN_SIGHT ? 'is-pinned' : 'is-me'
}

/** `▲ 2`: by how many places someone moved within a week. */
function Movement({ person: { rank, rank_week_ago } }: { readonly person: Person }) {
  if (rank_week_ago === null) return <span class="tag">{t.newHere}</span>
  const places = rank_week_ago - rank
  const text = places === 0 ? t.unmoved : places > 0 ? t.up(places) : t.down(-places)
  return (
    <span class={`moved ${gainTone(places) || 'faint'}`} title={text}>
      <span aria-hidden="true">{places === 0 ? '–' : `${places > 0 ? '▲' : '▼'} ${Math.abs(places)}`}</span>
      <span class="unseen">{text}</span>
    </span>
  )
}

const MOVED: Column<Person> = {
  ...{ id: 'moved', label: t.moved, isLabelUnseen: true },
  cell: person => <Movement person={person} />,
}

/** Returns the columns of a board, the figure that ranks it first. */
function columnsOf(by: Ranking, isSeason: boolean): readonly Column<Person>[] {
  const figure = (name: Ranking): Column<Person> => ({
    ...{ id: name, label: HEADS[name], kind: 'number' },
    ...(name !== by && { isRoomy: true }),
    cell: person => (name === by ? <b>{figureText(name, person)}</b> : figureText(name, person)),
    tone: ({ profit }) => (name === 'profit' ? gainTone(profit) : ''),
  })
  return [
    { ...{ id: 'rank', label: t.rank, mark: '#', kind: 'number' }, cell: ({ rank }) => rank },
    ...(isSeason ? [] : [MOVED]),
    {
      ...{ id: 'trader', label: t.trader },
      cell: ({ userid, is_bot }) => (
        <span class="people-who">
          <Avatar name={userid} />
          <PeopleLink name={userid} />
          {is_bot && <span class="tag">{t.bot}</span>}
          {userid === userId.value && <span class="tag">{t.you}</span>}
        </span>
      ),
    },
    figure(by),
    ...FIGURES.filter(name => name !== by).map(figure),
    {
      ...{ id: 'events', label: t.events, kind: 'number', isRoomy: true },
      cell: ({ events }) => countText(events),
    },
  ]
}

/** Fetches a board; again while older trades are being counted, and when the own choice changes. */
function useBoard(
  by: Ranking,
  period: Period,
): { readonly board: Leaderboard | undefined; readonly fault: string } {
  const board = useSignal<Leaderboard | undefined>(undefined)
  const fault = useSignal('')
  const listed = listedAt.value
  const userid = userId.value
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = () =>
      exchange.site.fetchLeaderboard({ by, ...queryOf(period), userid }).then(
        found => {
          if (isOver) return
          board.value = found
          fault.value = ''
          if (!found.is_complete && !document.hidden) timer = setTimeout(load, GO_ON_MS)
        },
        error => {
          if (!isOver) fault.value = errorText(error)
        },
      )
    void load()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [by, period, listed, userid])
  const { window, season } = queryOf(period)
  const shown = board.value
  const isShown =
    shown?.by === by && (season === undefined ? shown.window === window : shown.season === season)
  return { board: isShown ? shown : undefined, fault: fault.value }
}

function queryOf(period: Period): { readonly window?: Span; readonly season?: number } {
  if (period === '7d' || period === '30d' || period === 'all') return { window: period }
  return { season: Number(period.slice('season '.length)) }
}

/** Returns the newest seasons that have begun, as choices. */
function boardsOf(seasons: readonly Season[]): (readonly [Period, string])[] {
  const begun = seasons.filter(({ began_at }) => began_at !== null).slice(-SEASONS_SHOWN)
  return begun.map(({ season, name }) => [`season ${season}`, name] as const)
}

/** Fetches the seasons once; none if that fails. */
function useSeasons(): readonly Season[] {
  const seasons = useSignal<readonly Season[]>([])
  useEffect(() => {
    exchange.seasons.fetchSeasons().then(
      found => {
        seasons.value = found
      },
      () => {},
    )
  }, [])
  return seasons.value
}
