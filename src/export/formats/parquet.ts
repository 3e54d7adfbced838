import type { ColumnSource, SchemaElement } from 'hyparquet-writer'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { Cell, Column, Row } from '../column.js'
import { DECIMALS } from '../column.js'
import type { FormatWriter } from './format-writer.js'

/** Digits of a decimal number in 64 bits. */
const PRECISION = 18
const CREATED_BY = 'raay'

interface ParquetState {
  readonly offset: number
  readonly rows: string
  readonly groups: string
}

/**
 * Writes Parquet: a row group for each part, without statistics. Decimal numbers are DECIMAL on INT64, times
 * TIMESTAMP_MILLIS. The footer lists all row groups, so the state has them, too.
 */
export function parquetFormat(columns: readonly Column[], state?: unknown): FormatWriter {
  const bytes = new TakenBytes()
  const schema = [{ name: 'root', num_children: columns.length }, ...columns.map(elementOf)]
  const writer = new ParquetWriter({ writer: bytes, schema, statistics: false, createdBy: CREATED_BY })
  if (state !== undefined) {
    const { offset, rows, groups } = state as ParquetState
    bytes.take()
    bytes.offset = offset
    writer.num_rows = BigInt(rows)
    writer.row_groups = JSON.parse(groups, withBigints)
  }
  return {
    begin: () => bytes.take(),
    rows: rows => {
      const columnData = columns.map((column, at) => dataOf(column, at, rows))
      writer.write({ columnData, rowGroupSize: rows.length })
      return bytes.take()
    },
    end: () => {
      writer.finish()
      return bytes.take()
    },
    state: () => ({
      offset: bytes.offset,
      rows: String(writer.num_rows),
      groups: JSON.stringify(writer.row_groups, withoutBigints),
    }),
  }
}

/** Collects bytes until they are taken; its offset goes on. */
class TakenBytes extends ByteWriter {
  take(): Uint8Array {
    const bytes = new Uint8Array(this.buffer, 0, this.index).slice()
    this.index = 0
    return bytes
  }
}

function elementOf({ name, kind }: Column): SchemaElement {
  const optional = { name, repetition_type: 'OPTIONAL' } as const
  switch (kind) {
    case 'text':
      return { ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8' }
    case 'flag':
      return { ...optional, type: 'BOOLEAN' }
    case 'whole':
      return { ...optional, type: 'INT64' }
    case 'time':
      return { ...optional, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' }
    default:
      return {
        ...optional,
        type: 'INT64',
        converted_type: 'DECIMAL',
        scale: DECIMALS[kind],
        precision: PRECISION,
      }
  }
}

function dataOf({ name, kind }: Column, at: number, rows: readonly Row[]): ColumnSource {
  const data = rows.map(row => cellValue(kind, row[at] ?? null))
  return { name, data, nullable: true, offsetIndex: false }
}

function cellValue(kind: Column['kind'], cell: Cell): string | bigint | boolean | null {
  if (cell === null) return null
  if (kind === 'text') return String(cell)
  return kind === 'flag' ? cell === 1 : BigInt(cell)
}

/** JSON has no integers of 64 bits: they are texts with an `n` behind them in an object of their own. */
const withoutBigints = (_: string, value: unknown) =>
  typeof value === 'bigint' ? { n: String(value) } : value

function withBigints(_: string, value: unknown): unknown {
  const isBigint =
    typeof value === 'object' && value !== null && 'n' in value && Object.keys(value).length === 1
  return isBigint ? BigInt(String(value.n)) : value
}
