import type { Page } from 'playwright-core'
import t from 'tap'
import { closePage, noBrowser, openPage } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { sharedBrowser } from './shared-browser.js'

const LEAVE = `(async () => {
  document.cookie = 'raay_left=1; path=/'
  localStorage.setItem('left', '1')
  sessionStorage.setItem('left', '1')
  await caches.open('left')
  await new Promise((resolve, reject) => {
    const asked = indexedDB.open('left')
    asked.onsuccess = resolve
    asked.onerror = reject
  })
})()`
const FOUND = `(async () => [
  document.cookie,
  ...Object.keys(localStorage),
  ...Object.keys(sessionStorage),
  ...await caches.keys(),
  ...(await indexedDB.databases()).map(({ name }) => name),
  (await navigator.permissions.query({ name: 'geolocation' })).state,
].filter(found => found !== ''))()`
const UNDER_POINTER = `document.querySelectorAll(':hover').length`
const SHOWN = `[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches, navigator.language]`

t.test('a page finds nothing of the one before it in its context', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const browser = await sharedBrowser(t)
  const found = (page: Page) => page.evaluate<string[]>(FOUND)

  const { page } = await openPage(browser, server.url, { user: 'asha', width: 360, colorScheme: 'dark' })
  const context = page.context()
  await context.grantPermissions(['geolocation'])
  await page.evaluate(LEAVE)
  const ofPage = (await found(page)).filter(name => !/^raay\.(?!user)/.test(name))
  t.same(ofPage.sort(), ['granted', 'left', 'left', 'left', 'left', 'raay.user', 'raay_left=1'])
  t.same(await page.evaluate(SHOWN), [360, true, 'en-IN'])
  await page.evaluate(`window.open('/docs')`)
  await page.route('**/people', route => route.abort())
  const heard: string[] = []
  page.on('request', request => heard.push(request.url()))
  await page.mouse.move(180, 400)
  t.not(await page.evaluate(UNDER_POINTER), 0)
  await closePage(page)
  const heardOfPage = heard.length

  const { page: next, complaints } = await openPage(browser, server.url)
  t.equal(next.context(), context)
  t.same(context.pages(), [next])
  t.same(await found(next), ['prompt'])
  t.same(await next.evaluate(SHOWN), [1280, false, 'en-IN'])
  t.equal(await next.evaluate(UNDER_POINTER), 0)
  await next.goto(`${server.url}/people`)
  t.same(complaints, [])
  t.equal(heard.length, heardOfPage, 'listeners end with their page')

  // At the same time, or in another language, pages have contexts of their own.
  const { page: another } = await openPage(browser, server.url)
  t.not(another.context(), context)
  await closePage(next)
  const { page: hindi } = await openPage(browser, server.url, { locale: 'hi-IN' })
  t.not(hindi.context(), context)
  t.same(await hindi.evaluate(SHOWN), [1280, false, 'hi-IN'])

  // A clock that was set ends with its context, and so do sockets that a test has taken from a page.
  const changes = [
    (page: Page) => page.clock.setFixedTime(0),
    (page: Page) => page.routeWebSocket(/./, () => {}).then(() => page.reload()),
  ]
  for (const change of changes) {
    const { page: changed } = await openPage(browser, server.url)
    const itsContext = changed.context()
    await change(changed)
    await closePage(changed)
    t.notOk(browser.contexts().includes(itsContext))
  }

  // So does a page of two servers, whose storage is in two places.
  const { page: moved } = await openPage(browser, server.url)
  const itsContext = moved.context()
  await moved.goto((await startTestServer(t)).url)
  await closePage(moved)
  t.notOk(browser.contexts().includes(itsContext))
})
