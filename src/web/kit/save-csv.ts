import type { CsvColumn } from '../../api/csv-file.js'
import { csvFile } from '../../api/csv-file.js'
import { nowMs } from './browser-clock.js'
import { sheetTime } from './zone-days.js'

/** Offers rows as a CSV file to save, named after its contents and the day. */
export function saveCsv<Row>(name: string, columns: readonly CsvColumn<Row>[], rows: readonly Row[]): void {
  const day = sheetTime(nowMs()).slice(0, 10)
  saveFile(new File([csvFile(columns, rows)], `${name}-${day}.csv`, { type: 'text/csv;charset=utf-8' }))
}

/** Offers a file to save. */
export function saveFile(file: File): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = file.name
  link.click()
  URL.revokeObjectURL(link.href)
}
