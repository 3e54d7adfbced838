import { median } from '../figures.js'
import type { PageFigures } from './measured-page.js'

interface Goal {
  readonly name: string
  readonly unit: string
  readonly max: number
  readonly digits: number
  readonly of: (figures: PageFigures) => number
}

const GOALS: readonly Goal[] = [
  { name: 'received', unit: ' kB', max: 130, digits: 1, of: ({ bytes }) => bytes / 1000 },
  { name: 'first paint', unit: ' ms', max: 1500, digits: 0, of: ({ firstPaintMs }) => firstPaintMs },
  { name: 'layout shift', unit: '', max: 0.01, digits: 4, of: largestShift },
  { name: 'longest task', unit: ' ms', max: 200, digits: 0, of: longestTask },
  { name: 'slowest interaction', unit: ' ms', max: 100, digits: 0, of: slowestInteraction },
]

/** The result of a visit in words. */
export interface Verdict {
  readonly lines: readonly string[]
  readonly missed: readonly string[]
}

/** Compares the medians of some rounds of a visit with the goals. */
export function verdictOn(name: string, rounds: readonly PageFigures[]): Verdict {
  const missed: string[] = []
  const told = GOALS.flatMap(goal => {
    if (goal.of === slowestInteraction && rounds[0]?.steps.length === 0) return []
    const figure = median(rounds.map(goal.of))
    const isMet = figure <= goal.max
    const text = `${goal.name} ${figure.toFixed(goal.digits)}${goal.unit}`
    if (!isMet) missed.push(`${name}: ${text}`)
    return [`${text} (≤ ${goal.max}: ${isMet ? 'met' : 'MISSED'})`]
  })
  const font = median(rounds.map(({ fontBytes }) => fontBytes / 1000)).toFixed(1)
  const usable = median(rounds.map(({ usableMs }) => usableMs)).toFixed(0)
  const load = median(rounds.map(({ longestTaskMs }) => longestTaskMs)).toFixed(0)
  const shift = median(rounds.map(({ layoutShift }) => layoutShift)).toFixed(4)
  const rest = `fonts ${font} kB, usable after ${usable} ms, longest task of the load ${load} ms, shift of the load ${shift}`
  const steps = (rounds[0]?.steps ?? []).map((step, index) => {
    const interaction = median(rounds.map(({ steps }) => steps[index]?.interactionMs ?? Number.NaN))
    const task = median(rounds.map(({ steps }) => steps[index]?.longestTaskMs ?? Number.NaN))
    const shift = median(rounds.map(({ steps }) => steps[index]?.layoutShift ?? Number.NaN))
    const figures = [`interaction ${interaction.toFixed(0)} ms`, `longest task ${task.toFixed(0)} ms`]
    return `  ${step.name}: ${[...figures, `shift ${shift.toFixed(4)}`].join(', ')}`
  })
  return { lines: [name, `  ${told.join(', ')}`, `  ${rest}`, ...steps], missed }
}

function longestTask({ longestTaskMs, steps }: PageFigures): number {
  return Math.max(longestTaskMs, ...steps.map(step => step.longestTaskMs))
}

function largestShift({ layoutShift, steps }: PageFigures): number {
  return Math.max(layoutShift, ...steps.map(step => step.layoutShift))
}

function slowestInteraction({ steps }: PageFigures): number {
  return Math.max(...steps.map(({ interactionMs }) => interactionMs))
}
