import { noBrowser, startBrowser } from '../../fixtures/browser.js'
import { median } from '../figures.js'
import { createEvent } from '../orders.js'
import { startRaay } from '../server-child.js'
import type { PageFigures } from './measured-page.js'
import { measurePage } from './measured-page.js'

const MARKETS = 1000
const ROUNDS = 3
/** The goals, as printed beside the figures. */
const GOALS = '≤ 130 kB, ≤ 1500 ms, ≤ 0.01, ≤ 200 ms, ≤ 100 ms'

/**
 * Measures what a visitor with a slow phone waits for: the bytes of the first load, the first paint, the shift
 * of the layout, the longest task and an interaction, on pages of an exchange with 1,000 markets.
 */
export async function benchPages(): Promise<void> {
  if (noBrowser !== false) return console.log(noBrowser)
  const ends: (() => unknown)[] = []
  try {
    const server = await startRaay({ settings: ['--rate-limits', 'off'] })
    ends.unshift(() => server.stop())
    const codes: string[] = []
    while (codes.length < MARKETS) {
      codes.push(String(await createEvent(server.url, `Will it rain in place ${codes.length}?`)))
    }
    const browser = await startBrowser({ teardown: end => ends.unshift(end) })
    console.log(`Pages over slow 4G with a CPU slowed down 4 times, ${MARKETS} markets, medians of ${ROUNDS}`)
    console.log(`goals: ${GOALS}`)
    const pages = [
      ['home', '/', '.market-list a'],
      ['market', `/market/${codes[0]}`, '.outcome-no'],
      ['portfolio', '/portfolio', undefined],
      ['guide', '/docs/guides/trading', undefined],
    ] as const
    for (const [name, path, clicked] of pages) {
      const rounds: PageFigures[] = []
      while (rounds.length < ROUNDS) rounds.push(await measurePage(browser, server.url + path, clicked))
      console.log(`${name.padEnd(10)} ${line(rounds)}`)
    }
  } finally {
    for (const end of ends) await end()
  }
}

function line(rounds: readonly PageFigures[]): string {
  const middle = (pick: (figures: PageFigures) => number) => median(rounds.map(pick))
  const interaction = middle(({ interactionMs }) => interactionMs ?? Number.NaN)
  return [
    `${(middle(({ bytes }) => bytes) / 1000).toFixed(1)} kB received`,
    `first paint ${middle(({ firstPaintMs }) => firstPaintMs).toFixed(0)} ms`,
    `layout shift ${middle(({ layoutShift }) => layoutShift).toFixed(4)}`,
    `longest task ${middle(({ longestTaskMs }) => longestTaskMs).toFixed(0)} ms`,
    ...(Number.isNaN(interaction) ? [] : [`interaction ${interaction.toFixed(0)} ms`]),
  ].join(', ')
}
