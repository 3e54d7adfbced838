import type { ComponentChildren } from 'preact'
import { CsvButton } from '../lists/csv-button.jsx'
import type { Column } from '../../kit/table.jsx'

interface SectionHeadProps<Row> {
  readonly id: string
  readonly title: string
  readonly columns: readonly Column<Row>[]
  readonly load: (limit: number) => Promise<readonly Row[]>
  readonly children?: ComponentChildren
}

/** The head of a part of a user’s page, with its download. */
export function SectionHead<Row>({ id, title, columns, load, children }: SectionHeadProps<Row>) {
  return (
    <div class="card-head">
      <h2 id={`${id}-title`}>{title}</h2>
      <div class="acts">
        {children}
        <CsvButton name={id} columns={columns} load={load} />
      </div>
    </div>
  )
}
