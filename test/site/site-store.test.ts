import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import type { MarketCode, TimeMs } from '../../src/core/units.js'
import { Announcements } from '../../src/site/announcements.js'
import { Comments } from '../../src/site/comments.js'
import { EventImages } from '../../src/site/event-images.js'
import { EventTemplates } from '../../src/site/event-templates.js'
import { Profiles } from '../../src/site/profiles.js'
import type { SiteContext } from '../../src/site/site-context.js'
import { SITE_FILE } from '../../src/site/site-schema.js'
import type { SiteStoreOptions } from '../../src/site/site-store.js'
import { SiteStore } from '../../src/site/site-store.js'
import { UserSettings } from '../../src/site/user-settings.js'
import { Watchlists } from '../../src/site/watchlists.js'
import { openCompanion } from '../../src/store/companions/companion-database.js'
import { openDatabase } from '../../src/store/database.js'

const START = 1_800_000_000_000
const code = (number: number) => (1_000_000 + number) as MarketCode

function openSite(t: Test, options: Partial<SiteStoreOptions> = {}): SiteStore {
  const site = new SiteStore({ path: ':memory:', now: () => START as TimeMs, ...options })
  t.teardown(() => site.close())
  return site
}

function contextOf(t: Test) {
  const database = openCompanion(':memory:', SITE_FILE)
  t.teardown(() => database.close())
  return { database, now: () => START as TimeMs, growthRefusal: () => undefined } satisfies SiteContext
}

t.test('a new data directory starts with an empty site, in a file that only its owner reads', async t => {
  const path = join(t.testdir(), 'site.db')
  const site = openSite(t, { path })
  t.equal(statSync(path).mode & 0o777, 0o600)
  t.same(site.settings.get('asha'), {})
  t.same(site.watchlists.list('asha'), [])
})

t.test('what was written is there after a restart', async t => {
  const path = join(t.testdir(), 'site.db')
  const first = new SiteStore({ path, now: () => START as TimeMs })
  t.equal(first.settings.put('asha', { language: 'hi' }), undefined)
  t.equal(first.watchlists.add('asha', code(1)), undefined)
  first.close()
  const second = openSite(t, { path })
  t.same(second.settings.get('asha'), { language: 'hi' })
  t.same(second.watchlists.list('asha'), [code(1)])
  t.same(second.watchlists.list('ben'), [], 'and nobody else has it')
})

t.test('a file that is not a site, newer or damaged leaves the site empty and is left alone', async t => {
  const path = join(t.testdir(), 'site.db')
  const refuses = (message: RegExp) => {
    const before = readFileSync(path)
    const site = openSite(t, { path })
    t.match(site.file.doubt, message)
    t.throws(() => site.settings.put('asha', { theme: 'dark' }), { name: 'CompanionShutError' })
    t.same(site.settings.get('asha'), {})
    t.same(readFileSync(path), before)
  }
  writeFileSync(path, 'SQLite format 3\0 and nothing behind it'.padEnd(5000, 'x'))
  refuses(/site\.db: it is damaged/)

  writeFileSync(path, '')
  const foreign = openDatabase(path)
  foreign.exec('CREATE TABLE accounts (id INTEGER); PRAGMA user_version = 1')
  foreign.close()
  refuses(/it is not a file of the site of Raay/)

  writeFileSync(path, '')
  new SiteStore({ path, now: () => START as TimeMs }).close()
  const newer = openDatabase(path)
  newer.exec('PRAGMA user_version = 99')
  newer.close()
  refuses(/it has version 99, this program knows \d+: start a newer Raay/)
})

t.test('on a low disk nothing is added, and what is there is read and removed', async t => {
  const room = { state: 'ok' as 'ok' | 'low', freeBytes: 0, reserveBytes: 0 }
  const site = openSite(t, { room })
  site.settings.put('asha', { theme: 'dark' })
  site.watchlists.add('asha', code(1))
  room.state = 'low'
  t.equal(site.settings.put('asha', { theme: 'light' }), 'disk_low')
  t.equal(site.watchlists.add('asha', code(2)), 'disk_low')
  t.same(site.settings.get('asha'), { theme: 'dark' })
  site.watchlists.remove('asha', code(1))
  t.same(site.watchlists.list('asha'), [])
})

t.test('no user fills the store, nor do all of them together', async t => {
  const context = contextOf(t)
  const settings = new UserSettings(context, 2)
  t.equal(settings.put('asha', {}), undefined)
  t.equal(settings.put('ben', {}), undefined)
  t.equal(settings.put('cora', {}), 'site_full')
  t.same(settings.get('cora'), {})
  t.equal(settings.put('asha', { theme: 'dark' }), undefined, 'who is there goes on')
  t.equal(new UserSettings(context, 2).put('cora', {}), 'site_full', 'also after a restart')

  const watchlists = new Watchlists(context, { ofUserMax: 2, rowsMax: 3 })
  for (const number of [1, 2, 1]) t.equal(watchlists.add('asha', code(number)), undefined)
  t.equal(watchlists.add('asha', code(3)), 'watchlist_full')
  t.equal(watchlists.add('ben', code(1)), undefined)
  t.equal(watchlists.add('ben', code(2)), 'site_full')
  t.same(watchlists.list('asha'), [code(2), code(1)])
  watchlists.remove('ben', code(9))
  t.equal(watchlists.add('ben', code(2)), 'site_full', 'removing what is not there frees nothing')
  watchlists.remove('asha', code(1))
  t.equal(watchlists.add('ben', code(2)), undefined)
})

t.test('a picture is kept once, and its bytes are free when no event shows it', async t => {
  const context = contextOf(t)
  const images = new EventImages(context, 100)
  const [large, other, small] = [60, 60, 40].map((length, fill) => new Uint8Array(length).fill(fill))
  if (large === undefined || other === undefined || small === undefined) throw new Error('three pictures')
  const put = (number: number, bytes: Uint8Array) => {
    const made = images.putPicture(code(number), bytes)
    return typeof made === 'string' ? made : (made.image.split(/[/.]/)[2] ?? '')
  }
  const name = put(1, large)
  t.equal(put(1, small), put(2, small), 'two events share it')
  t.equal(images.picture(name), undefined, 'the one before is gone')
  t.equal(put(3, large), name)
  t.equal(put(4, other), 'site_full')
  images.remove(code(2))
  images.remove(code(2))
  t.equal(put(4, other), 'site_full', 'event 1 still shows the small one')
  images.putEmoji(code(3), '🏏')
  t.not(put(4, other), 'site_full')
  t.equal(put(4, other), 'site_full', 'as many bytes again might be needed')
  t.equal(
    new EventImages(context, 100).putPicture(code(5), small.slice(0, 1)),
    'site_full',
    'after a restart',
  )
  t.equal(images.picture(name), undefined)
  images.remove(code(4))
  images.remove(code(1))
  t.not(put(5, large), 'site_full')
})

t.test('comments are bounded for a user, for an event and in all', async t => {
  const context = contextOf(t)
  const bounds = { ofUserMax: 2, ofMarketMax: 3, allMax: 4 }
  const comments = new Comments(context, bounds)
  const post = (userId: string, number: number, store = comments) => {
    const made = store.post({ market: code(number), userId, body: 'Rain.', showsPosition: false })
    return typeof made === 'string' ? made : made.id
  }
  t.same([post('asha', 1), post('asha', 1), post('asha', 1)], [1, 2, 'comments_full'])
  t.same([post('ben', 1), post('cora', 1)], [3, 'comments_full'])
  t.same([post('cora', 2), post('cora', 2)], [4, 'site_full'])
  t.equal(post('cora', 2, new Comments(context, bounds)), 'site_full', 'also after a restart')
  const [newest] = comments.list(code(1), undefined, 1)
  t.equal(newest?.id, 3)
  if (newest !== undefined) comments.remove(newest)
  t.equal(comments.find(3, code(1)), undefined)
  t.equal(comments.find(2, code(2)), undefined, 'a comment under another event')
  t.equal(post('cora', 2), 5, 'a deleted one makes room')
  t.same(
    comments.latestOf('asha', 10).map(({ id }) => id),
    [2, 1],
  )
})

t.test('a search of all comments reads a bounded number for a page, and goes on from there', t => {
  const context = contextOf(t)
  const comments = new Comments(context)
  context.database.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2001)
    INSERT INTO comments (market, user_id, at, body, shows_position)
    SELECT 1000001, 'asha', 0, iif(i = 1, 'Sun', 'Rain'), 0 FROM n`)
  const first = comments.search({ q: 'sun', lengthMax: 10 })
  t.same(first, { comments: [], next: 2 })
  const second = comments.search({ q: 'sun', lengthMax: 10, before: 2 })
  t.match(second, { comments: [{ id: 1, body: 'Sun' }], next: undefined })
  t.match(comments.search({ isHidden: true, lengthMax: 10 }), { comments: [], next: undefined })
  t.end()
})

t.test('who chose to be private stays so after a restart, and on a low disk may choose it', async t => {
  const context = contextOf(t)
  const profiles = new Profiles(context, 2)
  t.equal(profiles.choiceOf('asha'), undefined)
  t.equal(profiles.choose('asha', true), undefined)
  const full = new Profiles({ ...context, growthRefusal: () => 'disk_low' }, 2)
  t.equal(full.choose('asha', false), undefined)
  t.equal(full.choose('ben', true), 'disk_low')
  const again = new Profiles(context, 2)
  t.same([...again.chose(false)], ['asha'])
  t.same([...again.chose(true)], [])
  t.equal(again.choose('ben', true), undefined)
  t.equal(again.choose('cora', true), 'site_full')
})

t.test('there is one announcement at most, its number never comes again, and it ends in time', async t => {
  const context = contextOf(t)
  let now = START as TimeMs
  const announcements = new Announcements({ ...context, now: () => now, growthRefusal: () => 'disk_low' })
  t.same([announcements.latest, announcements.current], [undefined, undefined])
  const words = { kind: 'info', en: 'Hello', hi: null, until: null } as const
  t.equal(announcements.put(words).id, 1)
  announcements.remove()
  t.equal(announcements.latest, undefined)
  t.equal(announcements.put(words).id, 2, 'who dismissed the first sees the second')
  t.equal(announcements.put({ ...words, until: (now + 1000) as TimeMs }).id, 3)
  t.equal(context.database.prepare('SELECT count(*) FROM announcements').pluck().get(), 1)
  t.match(new Announcements(context).latest, { id: 3, kind: 'info', en: 'Hello' }, 'it survives a restart')
  now = (now + 999) as TimeMs
  t.equal(announcements.current?.id, 3)
  now = (now + 1) as TimeMs
  t.equal(announcements.current, undefined)
  t.equal(announcements.latest?.id, 3, 'operators see what has ended')
})
t.test(
  'templates are bounded in number and length, and a new one never has the number of another',
  async t => {
    const context = contextOf(t)
    const bounds = { templatesMax: 2, lengthMax: 40 }
    const templates = new EventTemplates(context, bounds)
    const put = (name: string, title: string, store = templates) => {
      const saved = store.put(name, { title })
      return typeof saved === 'string' ? saved : saved.id
    }
    t.same([put('rain', 'a'), put('cricket', 'b'), put('gold', 'c')], [1, 2, 'templates_full'])
    t.equal(put('rain', 'Will it?'), 1, 'a full list lets the ones in it change')
    t.equal(put('rain', 'x'.repeat(30)), 'templates_full', 'unless the texts grow too long')
    t.equal(put('gold', 'c', new EventTemplates(context, bounds)), 'templates_full', 'also after a restart')
    t.same(
      templates.all().map(({ name, fields }) => [name, fields]),
      [
        ['cricket', { title: 'b' }],
        ['rain', { title: 'Will it?' }],
      ],
    )
    for (const id of [2, 2, 99]) templates.remove(id)
    t.same(
      templates.all().map(({ id }) => id),
      [1],
    )
    t.not(put('gold', 'c'), 2)
    const low = new EventTemplates({ ...context, growthRefusal: () => 'disk_low' }, bounds)
    t.equal(put('rain', 'Will it rain?', low), 'disk_low')
  },
)
