import type { Column } from '../../kit/table.jsx'
import { Table } from '../../kit/table.jsx'
import { useOperatorAction } from '../operator-action.js'

interface RevocableCardProps<Row> {
  readonly id: string
  readonly title: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** The word on the button of each row. */
  readonly word: string
  /** Names the button with its thing, for screen readers. */
  readonly labelOf: (row: Row) => string
  readonly revoke: (row: Row) => Promise<unknown>
  readonly onDone: () => void
}

/** A list of credentials, each with a button that takes it back; nothing while there are none. */
export function RevocableCard<Row extends { readonly id: number }>(props: RevocableCardProps<Row>) {
  const { id, title, columns, rows, word, labelOf, revoke, onDone } = props
  const { fault, isBusy, run } = useOperatorAction()
  if (rows.length === 0) return null
  const act: Column<Row> = {
    ...{ id: 'act', label: word, isLabelUnseen: true, kind: 'number' },
    cell: row => (
      <button
        type="button"
        class="button button-small"
        aria-label={labelOf(row)}
        disabled={isBusy}
        onClick={() => run(() => revoke(row).then(onDone))}
      >
        {word}
      </button>
    ),
  }
  return (
    <section class="card invitations" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {fault !== undefined && <p class="fault empty">{fault.words}</p>}
      <Table columns={[...columns, act]} rows={rows} keyOf={row => row.id} />
    </section>
  )
}
