import type { Page } from 'playwright-core'
import type { Visit } from './measured-page.js'
import type { PageWorld } from './page-world.js'

/** 5,000 pixels a second, as fast as a thumb. */
const SCROLL = { px: 250, everyMs: 50 }

/** Returns the visits that are measured, all on a phone. */
export function visitsOf({ client, markets, trader, traded, settled }: PageWorld): Visit[] {
  const options = { user: trader }
  const home = { path: '/', usable: '.market-row', options } as const
  const homeInHindi = { ...home, options: { ...options, language: 'hi' }, steps: [] } as const
  return [
    {
      ...home,
      name: 'home',
      steps: [
        { name: 'typing a search', act: search },
        { name: 'opening a market', act: page => open(page, /place \d+ on Sunday/, '.buy-bar') },
      ],
    },
    {
      ...home,
      name: `home, to the end of ${markets} markets`,
      rounds: 1,
      steps: [{ name: 'scrolling', act: page => scrollToEnd(page, markets) }],
    },
    { ...homeInHindi, name: 'home, Hindi, loading its letters', font: 'latin' },
    { ...homeInHindi, name: "home, Hindi, in the system's letters", font: 'devanagari' },
    {
      name: 'market',
      path: `/market/${traded}`,
      usable: '.buy-bar',
      options,
      steps: [
        { name: 'opening the ticket', act: page => press(page, /^Buy NO/, '.sheet') },
        { name: 'typing a quantity', act: typeQuantity },
        { name: 'choosing YES', act: page => page.getByRole('radio', { name: /^YES/ }).last().check() },
      ],
    },
    {
      name: 'settled market',
      path: `/market/${settled}`,
      usable: '.market-over',
      options,
      steps: [
        { name: 'showing NO in the chart', act: page => page.getByRole('radio', { name: 'NO' }).check() },
      ],
    },
    {
      name: 'portfolio',
      path: '/portfolio',
      usable: '.portfolio table',
      options,
      steps: [
        {
          name: 'switching to the orders',
          act: page => open(page, 'Orders', '[aria-labelledby=open-title]'),
        },
        {
          name: 'switching to the history',
          act: page => open(page, 'History', 'section[aria-label=History]'),
        },
      ],
    },
    {
      name: "operator's event",
      path: `/admin/event/${traded}`,
      usable: '.life-moves',
      before: async page => {
        const { body } = await client.post('/auth/admin-link', {})
        await page.goto(String((body.additional as { readonly url?: string }).url))
        await page.getByRole('button', { name: 'Sign out' }).waitFor()
      },
      steps: [{ name: 'asking to close', act: page => press(page, 'Close…', 'dialog[open]') }],
    },
    { name: 'guide', path: '/docs/guides/trading', usable: 'main h1', steps: [] },
  ]
}

async function search(page: Page): Promise<void> {
  await page.getByRole('searchbox').click()
  await page.keyboard.type('place 77 ', { delay: 60 })
  // Place 77, and 770 to 779.
  await page.getByText('11 markets').waitFor({ state: 'attached' })
  for (let key = 0; key < 'place 77 '.length; key++) await page.keyboard.press('Backspace', { delay: 30 })
  await page.locator('.list-end').waitFor()
}

/** Scrolls until nothing more is loaded. */
async function scrollToEnd(page: Page, markets: number): Promise<void> {
  const end = page.getByText(`${markets - 1} markets`)
  await page.mouse.move(195, 450)
  while ((await end.count()) === 0) {
    await page.mouse.wheel(0, SCROLL.px)
    await page.waitForTimeout(SCROLL.everyMs)
  }
}

async function open(page: Page, name: string | RegExp, effect: string): Promise<void> {
  await page.getByRole('link', { name }).last().click()
  await page.locator(effect).first().waitFor()
}

async function press(page: Page, name: string | RegExp, effect: string): Promise<void> {
  await page.getByRole('button', { name }).first().click()
  await page.locator(effect).first().waitFor()
}

async function typeQuantity(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Quantity' }).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('125', { delay: 60 })
}
