import type { Page } from 'playwright-core'
import type { AccountsWorld } from './accounts-world.js'
import type { World } from './world.js'
import { PEOPLE } from './world.js'

/** One page to take pictures of. */
export interface View {
  readonly name: string
  readonly path: string
  /** Its reader: a trader by this name, or the operator. */
  readonly by: string
  /** The exchange with accounts, where its reader signs in; the one without by default. */
  readonly at?: 'accounts'
  /** True if nothing is at this address, which browsers note as an error. */
  readonly isMissing?: true
  /** True if the picture shows the window only, of a page that is too long for it. */
  readonly isLong?: true
  /** Steps to what the picture shows, in any language and at any width. */
  readonly act?: (page: Page) => Promise<unknown>
}

export const OPERATOR = 'operator'
/** Someone who has not signed in. */
export const VISITOR = ''

const ROWS = `title,description,end_date,category
Will it snow in Shimla on Sunday?,YES if the department measures snow.,2036-01-04T12:00:00Z,Weather
Will it rain in Mumbai on Sunday?,It is there already.,2036-01-04T12:00:00Z,Weather
Will India win the toss?,,2036-01-04T12:00:00Z,Cricket
`

/** Returns every page with something to see on it. */
export function viewsOf(world: World): View[] {
  return [...tradersViews(world), ...operatorsViews(world), ...documents(world)]
}

function tradersViews(world: World): View[] {
  const { trader, newcomer } = PEOPLE
  const traded = as(trader)
  return [
    traded('home', '/'),
    as(VISITOR)('home-visitor', '/'),
    traded('home-nothing-found', '/?q=nothing+like+this'),
    traded('home-watchlist-empty', '/?view=watchlist'),
    { ...as(VISITOR)('home-username', '/'), act: page => page.click('.site-bar > .button-main') },
    traded('market', `/market/${world.busy}`),
    { ...traded('market-notices', `/market/${world.busy}`), act: page => page.click('.bell > button') },
    { ...traded('market-share', `/market/${world.busy}`), act: page => page.click('.share summary') },
    { ...traded('market-keys', `/market/${world.busy}`), act: page => page.keyboard.press('?') },
    { ...traded('market-exit', `/market/${world.busy}?exit=yes`) },
    { ...traded('market-amend', `/market/${world.busy}`), act: changeOrder },
    { ...traded('market-ticket', `/market/${world.busy}`), act: openTicket },
    as(newcomer)('market-new', `/market/${world.fresh}`),
    traded('market-closed', `/market/${world.closed}`),
    traded('market-resolved', `/market/${world.won}`),
    traded('market-void', `/market/${world.void}`),
    traded('portfolio', '/portfolio'),
    as(newcomer)('portfolio-empty', '/portfolio'),
    as(VISITOR)('portfolio-visitor', '/portfolio'),
    traded('portfolio-orders', '/portfolio/orders'),
    traded('portfolio-history', '/portfolio/history'),
    traded('portfolio-statement', '/portfolio/statement'),
    traded('people', '/people'),
    traded('profile', '/people/ravi'),
    { name: 'profile-private', path: '/people/nobody', by: trader, isMissing: true },
    { name: 'not-found', path: '/no/such/page', by: trader, isMissing: true },
    { name: 'market-missing', path: '/market/9999999', by: trader, isMissing: true },
  ]
}

function operatorsViews(world: World): View[] {
  const operated = as(OPERATOR)
  return [
    operated('admin-events', '/admin'),
    operated('admin-new', '/admin/new'),
    { ...operated('admin-new-faults', '/admin/new'), act: page => page.click('.form-foot .button') },
    operated('admin-event', `/admin/event/${world.busy}`),
    {
      ...operated('admin-close', `/admin/event/${world.busy}`),
      act: page => page.click('.button-danger-quiet'),
    },
    operated('admin-settle', `/admin/event/${world.closed}`),
    { ...operated('admin-preview', `/admin/event/${world.closed}`), act: page => page.click('.outcome-yes') },
    operated('admin-resolved', `/admin/event/${world.won}`),
    operated('admin-bulk', '/admin/bulk'),
    { ...operated('admin-bulk-rows', '/admin/bulk'), act: chooseRows },
    {
      ...operated('admin-schedule', '/admin/new'),
      act: page => page.click('.template-moves [aria-expanded]'),
    },
    operated('admin-users', '/admin/users'),
    operated('admin-user', `/admin/user/${PEOPLE.trader}`),
    operated('admin-user-orders', `/admin/user/${PEOPLE.trader}?tab=orders`),
    operated('admin-comments', '/admin/comments'),
    {
      ...operated('admin-comments-hide', '/admin/comments'),
      act: page => page.locator('.moderated-acts button').first().click(),
    },
    operated('admin-health', '/admin/health'),
    operated('admin-log', '/admin/actions'),
    operated('admin-audit', '/admin/audit'),
    { name: 'admin-sign-in', path: '/admin', by: VISITOR },
  ]
}

function documents(world: World): View[] {
  const read = as(PEOPLE.newcomer)
  return [
    read('embed', `/embed/${world.busy}`),
    read('embed-resolved', `/embed/${world.won}`),
    read('share-picture', `/share/${world.busy}/1.png`),
    read('share-picture-hindi', `/share/${world.fresh}/1.png`),
    read('guides', '/docs/guides'),
    read('guide', '/docs/guides/trading'),
    { ...read('reference', '/docs'), isLong: true },
  ]
}

/** Returns the pages of an exchange with accounts; an announcement is on top of them. */
export function accountsViews({ recovery, invitation, market }: AccountsWorld): View[] {
  const { trader, admin } = PEOPLE
  const views = [
    as(VISITOR)('home-announcement', '/'),
    as(VISITOR)('market-visitor', `/market/${market}`),
    as(VISITOR)('sign-in', '/sign-in'),
    as(VISITOR)('sign-up', `/sign-up#invitation=${invitation}`),
    as(VISITOR)('recover', `/recover#token=${recovery}`),
    as(trader)('account', '/account'),
    {
      ...as(trader)('account-key', '/account'),
      act: (page: Page) => page.click('[aria-labelledby=keys-title] .card-head button'),
    },
    as(admin)('accounts', '/admin/accounts'),
    as(admin)('accounts-audit', '/admin/audit'),
    as(admin)('accounts-health', '/admin/health'),
  ]
  return views.map(view => ({ ...view, at: 'accounts' }))
}

function as(by: string): (name: string, path: string) => View {
  return (name, path) => ({ name, path, by })
}

async function openTicket(page: Page): Promise<void> {
  const bar = page.locator('.buy-bar .button-yes')
  if (await bar.isVisible()) await bar.click()
  await page.fill('#ticket-quantity', '40')
}

function changeOrder(page: Page): Promise<void> {
  return page.locator('.open-orders button').first().click()
}

function chooseRows(page: Page): Promise<void> {
  return page.setInputFiles('input[type=file]', {
    name: 'events.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(ROWS),
  })
}
