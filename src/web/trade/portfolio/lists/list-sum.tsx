import { countText, gainTone, rupeesText } from '../../../kit/number-texts.js'
import { t } from '../../../texts/portfolio.js'
import type { List } from './list.js'

interface ListSumProps<Row> {
  readonly list: List<Row>
  readonly rows: readonly Row[]
  readonly sum: number | undefined
  /** The rows that these were selected from, if the exchange has older ones. */
  readonly newest: number | undefined
}

/** The number of rows and their sum, which is not that of all while there are older ones. */
export function ListSum<Row>({ list, rows, sum, newest }: ListSumProps<Row>) {
  return (
    <p class="list-sum" role="status">
      <span class="faint">{rowsText(rows.length, newest)}</span>
      {sum !== undefined && (
        <span>
          {list.sum?.label} <Gain rupees={sum} />
        </span>
      )}
    </p>
  )
}

function rowsText(count: number, newest: number | undefined): string {
  if (newest === undefined) return t.rows(count)
  const loaded = countText(newest)
  return count === newest ? t.newestRows(loaded) : t.ofNewestRows(countText(count), loaded)
}

/** A signed amount in the colour of a gain or a loss. */
export function Gain({ rupees }: { readonly rupees: number }) {
  return <b class={gainTone(rupees) || 'soft'}>{rupeesText(rupees, 'signed')}</b>
}
