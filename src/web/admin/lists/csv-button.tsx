import { nowMs } from '../../kit/browser-clock.js'
import { saveCsv } from '../../kit/save-csv.js'
import { t } from '../../texts/admin-frame.js'
import { useOperatorAction } from '../operator-action.js'
import type { Column } from './data-table.jsx'

interface CsvButtonProps<Row> {
  /** The name of the file, without its ending. */
  readonly name: string
  readonly columns: readonly Column<Row>[]
  /** Fetches the rows that match the filters, up to a number. */
  readonly load: (limit: number) => Promise<readonly Row[]>
}

/** The most rows in one file; narrower filters, or `raay export`, give the rest. */
const ROWS_MAX = 20_000

/** Downloads the whole filtered list as CSV. */
export function CsvButton<Row>({ name, columns, load }: CsvButtonProps<Row>) {
  const { fault, isBusy, run } = useOperatorAction()
  const download = () =>
    run(async () => {
      const written = columns.filter(({ csv }) => csv !== undefined)
      const rows = await load(ROWS_MAX)
      const heads = written.map(({ label }) => label.replace(/^_/, ''))
      const cells = rows.map(row => written.map(({ csv }) => csv?.(row) ?? null))
      saveCsv(`${name}-${new Date(nowMs()).toISOString().slice(0, 10)}.csv`, [heads, ...cells])
    })
  return (
    <button
      type="button"
      class="button button-small csv"
      disabled={isBusy}
      title={fault?.words}
      onClick={download}
    >
      {isBusy ? t.downloading : t.csv}
    </button>
  )
}
