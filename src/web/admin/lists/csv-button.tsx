import { saveCsv } from '../../kit/save-csv.js'
import { t } from '../../texts/admin-frame.js'
import { useOperatorAction } from '../operator-action.js'
import type { Column } from '../../kit/table.jsx'

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
      const sheet = columns.flatMap(({ label, csv }) => (csv === undefined ? [] : [[label, csv] as const]))
      saveCsv(name, sheet, await load(ROWS_MAX))
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
