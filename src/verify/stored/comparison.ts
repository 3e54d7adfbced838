import type { NumberedHashes } from './numbered-hashes.js'
import { hashOf } from './numbered-hashes.js'
import type { RowHashes } from './row-hashes.js'
import type { TableName } from './table-shapes.js'
import { TABLE_SHAPES } from './table-shapes.js'

export interface Difference {
  readonly table: TableName
  /** The row's key as text, its parts separated by a space. */
  readonly key: string
  readonly kind: 'differs' | 'missing' | 'extra'
}

/** Yields every row that differs between the two, table by table. */
export function* compareRows(expected: RowHashes, stored: RowHashes): Generator<Difference> {
  for (const table of Object.keys(TABLE_SHAPES) as TableName[]) {
    for (const [key, kind] of differences(table, expected, stored)) yield { table, key, kind }
  }
}

type Found = readonly [key: string, kind: Difference['kind']]

function differences(table: TableName, expected: RowHashes, stored: RowHashes): Iterable<Found> {
  if (table === 'orders' || table === 'trades') return compareNumbered(expected[table], stored[table])
  if (table !== 'entries' && table !== 'updates') {
    return compareMaps(expected.keyed[table], stored.keyed[table])
  }
  return withoutMarket(compareNumbered(expected[table], stored[table]))
}

function* compareMaps<Key, Value>(
  expected: ReadonlyMap<Key, Value>,
  stored: ReadonlyMap<Key, Value>,
): Generator<Found> {
  for (const [key, value] of expected) {
    const found = stored.get(key)
    if (found !== value) yield [String(key), found === undefined ? 'missing' : 'differs']
  }
  for (const key of stored.keys()) if (!expected.has(key)) yield [String(key), 'extra']
}

function* withoutMarket(found: Iterable<Found>): Generator<Found> {
  for (const [key, kind] of found) yield [key.slice(key.indexOf(' ') + 1), kind]
}

/** A number may be a stray on one side only: rows are read by number, but expected as orders end. */
function* compareNumbered(expected: NumberedHashes, stored: NumberedHashes): Generator<Found> {
  for (const market of new Set([...expected.byMarket.keys(), ...stored.byMarket.keys()])) {
    const end = endOf(market, expected, stored)
    for (let number = 1; number < end; number++) yield* compareNumber(market, number, expected, stored)
  }
  for (const key of new Set([...expected.strays.keys(), ...stored.strays.keys()])) {
    const [market, number] = key.split(' ').map(Number) as [number, number]
    const isCompared = number > 0 && number < endOf(market, expected, stored)
    if (!isCompared) yield* compareNumber(market, number, expected, stored)
  }
}

function endOf(market: number, expected: NumberedHashes, stored: NumberedHashes): number {
  return Math.max(expected.byMarket.get(market)?.length ?? 0, stored.byMarket.get(market)?.length ?? 0)
}

function* compareNumber(
  market: number,
  number: number,
  expected: NumberedHashes,
  stored: NumberedHashes,
): Generator<Found> {
  const wanted = hashOf(expected, market, number)
  const found = hashOf(stored, market, number)
  if (wanted === found) return
  yield [`${market} ${number}`, found === 0 ? 'missing' : wanted === 0 ? 'extra' : 'differs']
}
