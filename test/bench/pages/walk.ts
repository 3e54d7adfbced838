import type { Locator, Page } from 'playwright-core'

/** Seconds of the keystroke-level model: to think of a step, to point and click, and to press a key. */
const MODEL = { think: 1.35, click: 1.3, key: 0.28 } as const

type Role = Parameters<Page['getByRole']>[0]

/** The cost of a task. */
export interface WalkFigures {
  readonly clicks: number
  readonly keys: number
  /** The time of a person for these clicks and keys, by the model. */
  readonly modelSeconds: number
  /** The time of the pages, with nobody thinking; that of the driver is in it. */
  readonly waitSeconds: number
}

/** Walks through pages as someone does who knows only what they say, and counts clicks and keys. */
export class Walk {
  readonly #page: Page
  readonly #startedMs = performance.now()
  #clicks = 0
  #keys = 0
  #thoughts = 0

  constructor(page: Page) {
    this.#page = page
  }

  /** Clicks, or taps, what has this role and this name. */
  async click(role: Role, name: string | RegExp): Promise<void> {
    await this.#page.getByRole(role, { name }).first().click()
    this.#clicks++
    this.#thoughts++
  }

  /** Clicks the label of a field. */
  async clickLabel(name: string): Promise<void> {
    await this.#page.getByText(name, { exact: true }).first().click()
    this.#clicks++
    this.#thoughts++
  }

  /** Types a text where the focus is. */
  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text)
    this.#keys += [...text].length
    this.#thoughts++
  }

  /** Presses one key. */
  async press(key: string): Promise<void> {
    await this.#page.keyboard.press(key)
    this.#keys++
  }

  /** Waits until the page says so; a walk whose goal does not show fails. */
  async see(text: string | RegExp): Promise<void> {
    await this.#shown(this.#page.getByText(text))
  }

  /** Waits for what has this role and this name. */
  async find(role: Role, name: string | RegExp): Promise<void> {
    await this.#shown(this.#page.getByRole(role, { name }))
  }

  figures(): WalkFigures {
    return {
      clicks: this.#clicks,
      keys: this.#keys,
      modelSeconds: this.#thoughts * MODEL.think + this.#clicks * MODEL.click + this.#keys * MODEL.key,
      waitSeconds: (performance.now() - this.#startedMs) / 1000,
    }
  }

  #shown(what: Locator): Promise<void> {
    return what.filter({ visible: true }).first().waitFor()
  }
}
