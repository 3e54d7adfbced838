import t from 'tap'
import { noBrowser, openAdmin, openPage } from '../fixtures/browser.js'
import { startTestServer } from '../fixtures/server-process.js'
import { sharedBrowser } from './shared-browser.js'

t.test('keys pressed right after a click go to the dialog it opens', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const { page } = await openPage(await sharedBrowser(t), server.url)
  const opener = page.getByRole('button', { name: 'Choose a username' }).first()
  const hasFocus = await opener.evaluate(async (button: HTMLElement) => {
    button.click()
    // The page draws in microtasks: no frame passes here.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    return button.ownerDocument.activeElement?.matches('dialog input')
  })
  t.equal(hasFocus, true, 'a fast typist loses no letter')
})

t.test('a late answer leaves the dialog that was opened meanwhile', { skip: noBrowser }, async t => {
  const server = await startTestServer(t)
  const code = await server.client.createEvent()
  await server.client.post(`/events/${code}/halt`, {})
  const { page } = await openAdmin(await sharedBrowser(t), server, `/event/${code}`)
  let answer = () => {}
  const isAsked = new Promise<void>(resolve => {
    answer = resolve
  })
  await page.route('**/resume', async route => {
    await isAsked
    await route.continue()
  })
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Close…' }).click()
  await page.getByRole('dialog').waitFor()
  answer()
  await page.getByText('Open. Closes automatically').waitFor()
  t.ok(await page.getByRole('dialog').isVisible(), 'resuming has closed nothing')

  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  t.equal(await page.evaluate('document.activeElement.textContent'), 'Close…', 'the focus is back')
})
