import { median, quantile, thousands } from '../figures.js'
import { MAIN, OTHERS } from './costs.js'
import type { Measured } from './rounds.js'

type Pick = (round: Measured) => number | undefined
type Row = readonly [label: string, pick: Pick, format: (value: number) => string]

const COLUMN = 17
const RATIO_COLUMN = 24
const LABEL_COLUMN = 26

/**
 * Formats rounds of several servers as a table: medians, and the ratios of the first server to the others,
 * with median, least and greatest. Ratios depend less on the hour than absolute figures.
 */
export function comparisonTable(measured: ReadonlyMap<string, readonly Measured[]>): string {
  const [[, own = []] = [], ...others] = [...measured]
  const head = [
    ''.padEnd(LABEL_COLUMN),
    ...Array.from(measured.keys(), name => name.padStart(COLUMN)),
    ...others.map(([name]) => `÷ ${name}`.padStart(RATIO_COLUMN)),
  ]
  const lines = rowsFor([...measured.values()].flat()).map(([label, pick, format]) => [
    label.padEnd(LABEL_COLUMN),
    ...Array.from(measured.values(), rounds => medianText(rounds.map(pick), format).padStart(COLUMN)),
    ...others.map(([, rounds]) => ratioText(own.map(pick), rounds.map(pick)).padStart(RATIO_COLUMN)),
  ])
  const notes = NOTES.map(([label, format]) => [
    label.padEnd(LABEL_COLUMN),
    ...Array.from(measured.values(), rounds => format(rounds).padStart(COLUMN)),
  ])
  return [head, ...lines, ...notes].map(cells => `  ${cells.join('').trimEnd()}`).join('\n')
}

/** Returns the rows of what was measured: a thread that never ran has none, nor has what is not reported. */
function rowsFor(measured: readonly Measured[]): Row[] {
  const threads = new Set(measured.flatMap(({ costs }) => [...(costs?.cpuUs.keys() ?? [])]))
  const inOrder = [MAIN, ...[...threads].filter(name => name !== MAIN && name !== OTHERS).sort(), OTHERS]
  const ofThreads = inOrder.map((name): Row => [`  ${name}`, threadCost(name), value => value.toFixed(1)])
  const rows: Row[] = [
    ['orders a second', ({ perSecond }) => perSecond, thousands],
    ['p50 ms', ({ p50 }) => p50, value => value.toFixed(1)],
    ['p99 ms', ({ p99 }) => p99, value => value.toFixed(1)],
    ['CPU µs an order', cpuCost, value => value.toFixed(1)],
    ...ofThreads.filter(([, pick]) => measured.some(round => (pick(round) ?? 0) >= COST_SHOWN_MIN)),
    ['bytes written an order', writtenBytes, value => value.toFixed(0)],
  ]
  return rows.filter(([, pick]) => measured.some(round => pick(round) !== undefined))
}

const COST_SHOWN_MIN = 0.1

function cpuCost({ costs, orders }: Measured): number | undefined {
  if (costs === undefined) return undefined
  let sum = 0
  for (const us of costs.cpuUs.values()) sum += us
  return sum / orders
}

function threadCost(name: string): Pick {
  return ({ costs, orders }) => costs && (costs.cpuUs.get(name) ?? 0) / orders
}

function writtenBytes({ costs, orders }: Measured): number | undefined {
  return costs?.writtenBytes === undefined ? undefined : costs.writtenBytes / orders
}

function medianText(values: readonly (number | undefined)[], format: (value: number) => string): string {
  const known = values.filter(value => value !== undefined)
  return known.length === 0 || median(known) === 0 ? '-' : format(median(known))
}

/** Formats the ratios of one side's rounds to another's of the same number: median, least and greatest. */
export function ratioText(
  own: readonly (number | undefined)[],
  others: readonly (number | undefined)[],
): string {
  const ratios = own.map((value, round) => (value ?? Number.NaN) / (others[round] ?? Number.NaN))
  const finite = ratios.filter(Number.isFinite).sort((a, b) => a - b)
  if (finite.length === 0) return '-'
  const [middle, least, greatest] = [median(finite), finite[0], finite.at(-1)].map(value => value?.toFixed(2))
  return `${middle} (${least} to ${greatest})`
}

/** Figures that are shown for each server without a comparison. */
const NOTES: readonly (readonly [label: string, format: (rounds: readonly Measured[]) => string])[] = [
  ['commands a batch', batchesText],
  ['cores used by others', othersText],
]

function othersText(rounds: readonly Measured[]): string {
  return medianText(
    rounds.map(({ otherShare }) => otherShare),
    share => `${(share * 100).toFixed(0)} %`,
  )
}

/** Formats batch sizes: a tenth of the batches are below the first number, a tenth above the last. */
function batchesText(rounds: readonly Measured[]): string {
  const lengths = rounds.flatMap(({ batches }) => batches).sort((a, b) => a - b)
  if (lengths.length === 0) return '-'
  return [0.1, 0.5, 0.9].map(share => quantile(lengths, share)).join(' / ')
}
