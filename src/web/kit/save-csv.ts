import type { CsvColumn } from '../../api/csv-file.js'
import { csvFile } from '../../api/csv-file.js'
import { nowMs } from './browser-clock.js'
import { sheetTime } from './zone-days.js'

/** Offers rows as a CSV file to save, named after its contents and the day. */
export function saveCsv<Row>(name: string, columns: readonly CsvColumn<Row>[], rows: readonly Row[]): void {
  const file = new Blob([csvFile(columns, rows)], { type: 'text/csv;charset=utf-8' })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = `${name}-${sheetTime(nowMs()).slice(0, 10)}.csv`
  link.click()
  URL.revokeObjectURL(link.href)
}
