import type { CsvCell } from '../../api/csv-file.js'
import { csvFile } from '../../api/csv-file.js'

/** Offers rows as a CSV file to save. */
export function saveCsv(name: string, rows: readonly (readonly CsvCell[])[]): void {
  const address = URL.createObjectURL(new Blob([csvFile(rows)], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
