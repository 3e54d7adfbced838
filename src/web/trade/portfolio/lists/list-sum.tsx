import { gainTone, rupeesText } from '../../../kit/number-texts.js'
import { t } from '../../../texts/portfolio.js'
import type { List } from './list.js'

interface ListSumProps<Row> {
  readonly list: List<Row>
  readonly rows: readonly Row[]
  readonly sum: number | undefined
}

/** The number of rows and their sum. */
export function ListSum<Row>({ list, rows, sum }: ListSumProps<Row>) {
  return (
    <p class="list-sum" role="status">
      <span class="faint">{t.rows(rows.length)}</span>
      {sum !== undefined && (
        <span>
          {list.sum?.label} <Gain rupees={sum} />
        </span>
      )}
    </p>
  )
}

/** A signed amount in the colour of a gain or a loss. */
export function Gain({ rupees }: { readonly rupees: number }) {
  return <b class={gainTone(rupees) || 'soft'}>{rupeesText(rupees, 'signed')}</b>
}
