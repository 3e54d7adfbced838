import { noBrowser, startBrowser } from '../../fixtures/browser.js'
import { systemWithFont } from '../../fixtures/installed-font.js'
import { startRaay } from '../server-child.js'
import { verdictOn } from './goals.js'
import type { PageFigures } from './measured-page.js'
import { CONNECTING_MS, measurePage } from './measured-page.js'
import { fillPageWorld } from './page-world.js'
import { visitsOf } from './visits.js'

const ROUNDS = 3

/**
 * Measures what visitors with a slow phone wait for: the bytes of the first load, the first paint, the shift of
 * the layout, the longest task and the slowest interaction, on pages of an exchange with 1,000 markets.
 */
export async function benchPages(): Promise<void> {
  if (noBrowser !== false) return console.log(noBrowser)
  const ends: (() => unknown)[] = []
  try {
    const server = await startRaay({ settings: ['--rate-limits', 'off'] })
    ends.unshift(() => server.stop())
    const world = await fillPageWorld(server)
    const t = { teardown: (end: () => unknown) => void ends.unshift(end) }
    const usual = await startBrowser(t)
    console.log(`Pages over slow 4G with a CPU slowed down 4 times, 390 × 900 pixels, medians of ${ROUNDS};`)
    console.log(`${world.markets} markets; times include ${CONNECTING_MS} ms for connecting`)
    const missed: string[] = []
    for (const visit of visitsOf(world)) {
      const rounds: PageFigures[] = []
      const browser = visit.font === undefined ? usual : await startBrowser(t, systemWithFont(t, visit.font))
      while (rounds.length < (visit.rounds ?? ROUNDS))
        rounds.push(await measurePage(browser, world.url, visit))
      const verdict = verdictOn(visit.name, rounds)
      for (const line of verdict.lines) console.log(line)
      missed.push(...verdict.missed)
    }
    console.log(missed.length === 0 ? 'every goal is met' : `missed: ${missed.join('; ')}`)
  } finally {
    for (const end of ends) await end()
  }
}
