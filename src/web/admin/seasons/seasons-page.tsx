import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Season, SeasonTurn } from '../../../client/client.js'
import { ConfirmDialog } from '../../forms/confirm-dialog.jsx'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { siteName } from '../../kit/page-site.js'
import type { Column } from '../../kit/table.jsx'
import { dayTimeText } from '../../kit/time-texts.js'
import { t as frame } from '../../texts/admin-frame.js'
import { t } from '../../texts/admin-seasons.js'
import { clients } from '../admin-clients.js'
import { DataTable } from '../lists/data-table.jsx'
import { ListCard } from '../lists/list-page.jsx'
import { useOperatorAction } from '../operator-action.js'
import { usePolled } from '../polling.js'
import { SeasonForm } from './season-form.jsx'

const POLL_PAUSE_MS = 5000
const ROWS_STEP = 1000

/** Plans seasons, and shows what the start of one would do. */
export function SeasonsPage() {
  const { value: seasons, again } = usePolled(() => clients.asking.seasons.fetchSeasons(), POLL_PAUSE_MS)
  const limit = useSignal(ROWS_STEP)
  const looked = useSignal<Season | undefined>(undefined)
  const editing = useSignal<Season | undefined>(undefined)
  const leaving = useSignal<Season | undefined>(undefined)
  useEffect(() => {
    document.title = frame.title(t.title, siteName)
  }, [])
  const columns = columnsOf({ looked, editing, leaving })
  const edited = () => {
    editing.value = undefined
  }
  return (
    <>
      <div class="page-head">
        <h1>{t.title}</h1>
        <p class="faint">
          {t.about} <a href="/docs/guides/seasons">{t.guide}</a>
        </p>
      </div>
      <div class="stack">
        <ListCard name={t.title} count={seasons?.length} empty={t.empty} limit={limit} step={ROWS_STEP}>
          <DataTable
            columns={columns}
            rows={[...(seasons ?? [])].reverse()}
            keyOf={({ season }) => String(season)}
          />
        </ListCard>
        {looked.value !== undefined && <TurnCard key={looked.value.season} season={looked.value} />}
        <SeasonForm
          key={editing.value?.season}
          season={editing.value}
          onSaved={() => {
            edited()
            looked.value = undefined
            again()
          }}
          onLeave={edited}
        />
      </div>
      {leaving.value !== undefined && (
        <DeleteSeason
          season={leaving.value}
          onEnd={() => {
            leaving.value = undefined
            looked.value = undefined
            edited()
            again()
          }}
        />
      )}
    </>
  )
}

/** The seasons that the buttons of the list have chosen. */
interface Chosen {
  readonly looked: Signal<Season | undefined>
  readonly editing: Signal<Season | undefined>
  readonly leaving: Signal<Season | undefined>
}

/** Returns the columns of the seasons; narrow screens show all of a season in the first. */
function columnsOf({ looked, editing, leaving }: Chosen): readonly Column<Season>[] {
  const button = (words: string, season: Season, chosen: Signal<Season | undefined>) => (
    <button
      type="button"
      class="button button-small"
      onClick={() => {
        chosen.value = season
      }}
    >
      {words}
    </button>
  )
  return [
    {
      ...{ id: 'name', label: t.name, kind: 'wide' },
      cell: ({ name, starts_at, ends_at, stake }) => (
        <>
          {name}
          <p class="cell-note narrow-only">
            {dayTimeText(starts_at)} – {dayTimeText(ends_at)} · {rupeesText(stake)}
          </p>
        </>
      ),
    },
    { ...{ id: 'status', label: t.status }, cell: ({ status }) => t.statuses[status] },
    {
      ...{ id: 'starts', label: t.starts, kind: 'when', isRoomy: true },
      cell: ({ starts_at }) => dayTimeText(starts_at),
    },
    {
      ...{ id: 'ends', label: t.ends, kind: 'when', isRoomy: true },
      cell: ({ ends_at }) => dayTimeText(ends_at),
    },
    {
      ...{ id: 'stake', label: t.stake, kind: 'number', isRoomy: true },
      cell: ({ stake }) => rupeesText(stake),
    },
    {
      ...{ id: 'act', label: t.preview, isLabelUnseen: true, kind: 'number' },
      cell: season =>
        season.status === 'planned' && (
          <div class="acts">
            {button(t.preview, season, looked)}
            {button(t.edit, season, editing)}
            {button(t.delete, season, leaving)}
          </div>
        ),
    },
  ]
}

/** Says what the start of a season would do now. */
function TurnCard({ season: { season, name } }: { readonly season: Season }) {
  const turn = useSignal<SeasonTurn | undefined>(undefined)
  const { fault, run } = useOperatorAction()
  useEffect(() => {
    void run(async () => {
      turn.value = await clients.asking.seasons.fetchTurn(season)
    })
  }, [season])
  return (
    <section class="card" aria-labelledby="turn-title">
      <h2 id="turn-title">{t.turnTitle(name)}</h2>
      <div class="card-body" role="status">
        {fault !== undefined && <p class="fault">{fault.words}</p>}
        {turn.value !== undefined && linesOf(turn.value).map(line => <p key={line}>{line}</p>)}
      </div>
    </section>
  )
}

function linesOf({ users, changed, open_orders, deposits, withdrawals, floored }: SeasonTurn): string[] {
  return [
    t.turn.users(countText(changed), countText(users)),
    t.turn.orders(open_orders, countText(open_orders)),
    t.turn.money(rupeesText(deposits), rupeesText(withdrawals)),
    ...(floored > 0 ? [t.turn.floored(floored, countText(floored))] : []),
  ]
}

function DeleteSeason({ season, onEnd }: { readonly season: Season; readonly onEnd: () => void }) {
  const { fault, isBusy, run } = useOperatorAction()
  const remove = () =>
    run(async () => {
      await clients.doing.seasons.delete(season.season)
      onEnd()
    })
  return (
    <ConfirmDialog
      title={t.deleteTitle(season.name)}
      doIt={t.delete}
      leaveIt={frame.cancel}
      errorMessage={fault?.words ?? ''}
      isBusy={isBusy}
      onDo={remove}
      onLeave={onEnd}
    >
      <p>{t.deleteText}</p>
    </ConfirmDialog>
  )
}
