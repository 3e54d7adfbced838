import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ListedComment } from '../../../client/shapes.js'
import { errorText } from '../../kit/error-text.js'
import { siteName } from '../../kit/page-site.js'
import { t as frame } from '../../texts/admin-frame.js'
import { t as all } from '../../texts/admin-users.js'
import { clients } from '../admin-clients.js'
import { useAddressed } from '../lists/addressed.js'
import { CsvButton } from '../lists/csv-button.jsx'
import { DataTable } from '../lists/data-table.jsx'
import { FilterSelect } from '../lists/filter-fields.jsx'
import { ListCard } from '../lists/list-page.jsx'
import { useOperatorAction } from '../operator-action.js'
import { usePolled } from '../polling.js'
import { SearchField } from '../search-field.jsx'
import { commentColumns } from './comment-columns.jsx'
import { DeleteDialog } from './delete-dialog.jsx'
import { HideDialog } from './hide-dialog.jsx'

const t = all.moderation
/** A search through many comments takes several requests. */
const POLL_PAUSE_MS = 15_000
const ROWS_STEP = 50
const STATUSES = [
  ['', t.allComments],
  ['visible', t.visibleOnly],
  ['hidden', t.hiddenOnly],
] as const

type Filters = Readonly<Record<'q' | 'userid' | 'status', Signal<string>>>

interface Asking {
  readonly dialog: 'hide' | 'delete'
  readonly comment: ListedComment
}

/** The newest comments under all events, which operators hide, show again and delete. */
export function CommentsPage() {
  const filters: Filters = {
    q: useAddressed('q'),
    userid: useAddressed('userid'),
    status: useAddressed('status'),
  }
  const limit = useSignal(ROWS_STEP)
  const asked = queryOf(filters)
  const load = (rows: number) => clients.asking.site.fetchAllComments({ ...asked, limit: rows })
  const key = JSON.stringify([asked, limit.value])
  const { value: comments, error, again } = usePolled(() => load(limit.value), POLL_PAUSE_MS, key)
  const done = useSignal('')
  const asking = useSignal<Asking | undefined>(undefined)
  const { fault, run } = useOperatorAction()
  useEffect(() => {
    document.title = frame.title(t.comments, siteName)
  }, [])
  const ask = (dialog: Asking['dialog']) => (comment: ListedComment) => {
    done.value = ''
    asking.value = { dialog, comment }
  }
  const end = (words: string) => {
    asking.value = undefined
    done.value = words
    if (words !== '') again()
  }
  const show = ({ event_id, id, userid }: ListedComment) =>
    run(async () => {
      await clients.doing.site.unhideComment(event_id, id)
      end(t.shownDone(userid))
    })
  const columns = commentColumns({ onHide: ask('hide'), onShow: show, onDelete: ask('delete') })
  const isFiltered = Object.values(asked).some(value => value !== undefined)
  return (
    <>
      <Head done={done.value} refusal={fault?.words ?? (error === undefined ? '' : errorText(error))} />
      <search class="filters">
        <SearchField label={t.search} hint={t.searchHint} query={filters.q} />
        <SearchField label={all.user} hint={all.username} query={filters.userid} />
        <FilterSelect label={all.show} value={filters.status} options={STATUSES} />
        <CsvButton name="comments" columns={columns} load={load} />
      </search>
      <ListCard
        name={t.comments}
        count={comments?.length}
        empty={isFiltered ? t.noMatch : t.noComments}
        limit={limit}
        step={ROWS_STEP}
      >
        <DataTable columns={columns} rows={comments ?? []} keyOf={({ id }) => id} />
      </ListCard>
      {asking.value?.dialog === 'hide' && <HideDialog comment={asking.value.comment} onEnd={end} />}
      {asking.value?.dialog === 'delete' && <DeleteDialog comment={asking.value.comment} onEnd={end} />}
    </>
  )
}

/** Returns the query of the exchange; it ignores a status that it does not know. */
function queryOf({ q, userid, status }: Filters) {
  return {
    q: q.value.trim() || undefined,
    userid: userid.value.trim() || undefined,
    status: (['visible', 'hidden'] as const).find(known => known === status.value),
  }
}

function Head({ done, refusal }: { readonly done: string; readonly refusal: string }) {
  return (
    <>
      <div class="page-head">
        <h1>{t.comments}</h1>
        <p class="faint">{t.about}</p>
      </div>
      <p class="gain done" role="status">
        {done}
      </p>
      <p class="fault" role="alert">
        {refusal}
      </p>
    </>
  )
}
