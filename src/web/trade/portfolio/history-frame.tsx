import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { errorText } from '../../kit/error-text.js'
import { account } from '../account.js'

const ROWS_STEP = 25

interface HistoryFrameProps<Row> {
  /** Fetches up to `limit` rows, newest first. */
  readonly load: (limit: number) => Promise<readonly Row[]>
  readonly heads: readonly (readonly [label: string, kind?: 'number'])[]
  readonly row: (row: Row) => ComponentChildren
  readonly empty: string
}

/** A paged table that reloads when the user’s balance or orders change. */
export function HistoryFrame<Row>({ load, heads, row, empty }: HistoryFrameProps<Row>) {
  const rows = useSignal<readonly Row[] | undefined>(undefined)
  const errorMessage = useSignal('')
  const limit = useSignal(ROWS_STEP)
  const { balance, orders, positions } = account.value
  useEffect(() => {
    // A user without trades has no account and no history.
    if (balance === undefined) return
    let isOver = false
    load(limit.value).then(
      found => {
        if (isOver) return
        rows.value = found
        errorMessage.value = ''
      },
      error => {
        if (!isOver) errorMessage.value = errorText(error)
      },
    )
    return () => {
      isOver = true
    }
  }, [limit.value, balance, orders?.length])
  if (balance === undefined && positions !== undefined) return <p class="empty">{empty}</p>
  if (errorMessage.value !== '') return <p class="empty fault">{errorMessage.value}</p>
  if (rows.value === undefined) return <p class="empty">Loading…</p>
  if (rows.value.length === 0) return <p class="empty">{empty}</p>
  return (
    <>
      <div class="table-frame">
        <table class="table">
          <thead>
            <tr>
              {heads.map(([label, kind]) => (
                <th key={label} scope="col" class={kind}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{rows.value.map(row)}</tbody>
        </table>
      </div>
      {rows.value.length === limit.value && (
        <p class="list-end">
          <button
            type="button"
            class="button"
            onClick={() => {
              limit.value += ROWS_STEP
            }}
          >
            Show more
          </button>
        </p>
      )}
    </>
  )
}
