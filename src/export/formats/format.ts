import type { Column } from '../column.js'
import { csvFormat } from './csv.js'
import type { FormatWriter } from './format-writer.js'
import { ndjsonFormat } from './ndjson.js'
import { parquetFormat } from './parquet.js'

/** Opens a writer, at the beginning of a file or in a state that an earlier writer reached. */
export type Format = (columns: readonly Column[], state?: unknown) => FormatWriter

export const FORMATS = {
  ndjson: ndjsonFormat,
  csv: csvFormat,
  parquet: parquetFormat,
} as const satisfies Record<string, Format>

export type FormatName = keyof typeof FORMATS
