import type { Browser, Page } from 'playwright-core'
import { adminLink, noBrowser, openPage, startBrowser } from '../../fixtures/browser.js'
import { median } from '../figures.js'
import { startRaay } from '../server-child.js'
import type { Task } from './task-list.js'
import { OPERATOR, TASKS } from './task-list.js'
import type { TaskWorld } from './task-world.js'
import { fillTaskWorld } from './task-world.js'
import type { WalkFigures } from './walk.js'
import { Walk } from './walk.js'

const ROUNDS = 3
const WIDTHS = { desk: 1280, phone: 390 } as const

/**
 * Walks through the tasks of a first-time user, on a desk and on a phone, by the names of things alone, and counts
 * what they need. Throws if a task does not reach its goal.
 */
export async function benchTasks(): Promise<void> {
  if (noBrowser !== false) return console.log(noBrowser)
  const ends: (() => unknown)[] = []
  try {
    const server = await startRaay({ settings: ['--rate-limits', 'off'] })
    ends.unshift(() => server.stop())
    const world = await fillTaskWorld(server)
    const browser = await startBrowser({ teardown: end => ends.unshift(end) })
    console.log(
      `Tasks at full speed; "model" is what the keystroke-level model allows a person for the steps,`,
    )
    console.log(`"pages" what the pages took, the time of the driver included, medians of ${ROUNDS}`)
    for (const task of TASKS) {
      for (const device of ['desk', 'phone'] as const) {
        const rounds: WalkFigures[] = []
        while (rounds.length < ROUNDS) rounds.push(await walk(browser, world, task, device))
        console.log(`${task.name}, ${device}: ${line(rounds)}`)
      }
    }
  } finally {
    for (const end of ends) await end()
  }
}

async function walk(
  browser: Browser,
  world: TaskWorld,
  { by, from, steps }: Task,
  device: keyof typeof WIDTHS,
): Promise<WalkFigures> {
  const ready = await world.prepare()
  const { page } = await openPage(browser, world.url, { width: WIDTHS[device] })
  try {
    await enter(page, world, by)
    await page.goto(world.url + from(ready))
    await page.waitForLoadState('networkidle')
    const walked = new Walk(page)
    await steps(walked, ready)
    return walked.figures()
  } finally {
    await page.context().close()
  }
}

/** Enters as the operator or under a username, or stays a visitor. */
async function enter(page: Page, world: TaskWorld, by: string | undefined): Promise<void> {
  if (by === undefined) return
  if (by !== OPERATOR) return void (await page.evaluate(`localStorage.setItem('raay.user', '${by}')`))
  await page.goto(await adminLink(world))
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}

function line(rounds: readonly WalkFigures[]): string {
  const [{ clicks, keys, modelSeconds } = { clicks: 0, keys: 0, modelSeconds: 0 }] = rounds
  const pages = median(rounds.map(({ waitSeconds }) => waitSeconds))
  return `${clicks} clicks, ${keys} keys, model ${modelSeconds.toFixed(1)} s, pages ${pages.toFixed(2)} s`
}
