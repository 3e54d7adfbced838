import t from 'tap'
import type { TimeMs } from '../../src/core/units.js'
import type { Notice } from '../../src/site/webhook-notices.js'
import { SiteStore } from '../../src/site/site-store.js'
import type { Trouble, WatchedMarket } from '../../src/webhooks/market-watch.js'
import { MarketWatch } from '../../src/webhooks/market-watch.js'
import { lastDigestDue } from '../../src/webhooks/weekly-digest.js'

const HOUR = 3_600_000
const START = 1_800_000_000_000
const KINDS = ['moved', 'closing_soon', 'backup_failed', 'verify_failed', 'disk_low']

class Stage {
  now = START
  markets: WatchedMarket[] = []
  troubles: Trouble[] = []
  looked = 0
  readonly site = new SiteStore({ path: ':memory:', now: () => this.now as TimeMs })
  watch = this.start()

  start(): MarketWatch {
    return new MarketWatch({
      notices: this.site.notices,
      now: () => this.now,
      lastSequence: () => 7,
      live: code => this.#behind(code),
      timeZone: () => 'Asia/Kolkata',
      digest: () => ({ open: 3, created: 2, top: [] }),
      troubles: () => this.troubles,
    })
  }

  *#behind(code: number): Iterable<WatchedMarket> {
    for (const market of this.markets) {
      if (market.code <= code) continue
      this.looked++
      yield market
    }
  }

  market(changes: Partial<WatchedMarket> = {}): WatchedMarket {
    return { code: 1, isOpen: true, chance: 0.5, endsAt: START + 100 * HOUR, group: undefined, ...changes }
  }

  look(kinds: readonly string[] = KINDS): void {
    this.watch.look(new Set(kinds))
  }

  chance(chance: number | undefined): void {
    this.markets = [this.market({ chance })]
    this.look()
  }

  get notices(): Notice[] {
    const found: Notice[] = []
    for (let id = 0; ; ) {
      const next = this.site.notices.next(7, id, KINDS)
      if (next === undefined) return found
      found.push(next)
      id = next.id
    }
  }
}

t.test('a chance that moves by 10 points is news, once an hour, from that of the last time on', async t => {
  const stage = new Stage()
  stage.chance(undefined)
  stage.chance(0.5)
  stage.chance(0.59)
  t.same(stage.notices, [])
  stage.chance(0.6)
  t.match(stage.notices, [{ kind: 'moved', code: 1, chance: 0.6, sequence: 7 }])
  t.ok(Math.abs((stage.notices[0]?.change ?? 0) - 0.1) < 1e-9)
  stage.chance(0.9)
  stage.now += HOUR - 1
  stage.chance(0.9)
  t.equal(stage.notices.length, 1, 'not within the hour')
  stage.now += 1
  stage.watch = stage.start()
  stage.chance(0.55)
  t.equal(stage.notices.length, 1, 'compared with the last one that was news')
  stage.chance(0.3)
  t.match(stage.notices[1], { chance: 0.3 })
  stage.site.close()
})

t.test('an end of trading within the hour is news once, and once more if it changes', async t => {
  const stage = new Stage()
  stage.markets = [stage.market({ endsAt: START + HOUR + 1 })]
  stage.look()
  t.same(stage.notices, [])
  stage.now += 1
  stage.look()
  stage.look()
  t.match(stage.notices, [{ kind: 'closing_soon', code: 1 }])
  stage.markets = [stage.market({ endsAt: START + HOUR - 5 })]
  stage.look()
  t.equal(stage.notices.length, 2)
  stage.now += 2 * HOUR
  stage.look()
  t.equal(stage.notices.length, 2, 'not after the end')
  stage.now -= 2 * HOUR
  const end = START + HOUR / 2
  stage.markets = [5, 6, 7].map(code => stage.market({ code, endsAt: end, group: 4 }))
  stage.look()
  t.match(stage.notices.slice(2), [{ code: 4 }], 'a group is named once')
  t.equal(stage.notices.length, 3)
  stage.markets = [stage.market({ code: 9, isOpen: false, endsAt: end })]
  stage.look()
  t.equal(stage.notices.length, 3, 'nor of one that is halted')
  stage.site.close()
})

t.test('a trouble is news when it begins, and again when it comes back', async t => {
  const stage = new Stage()
  stage.troubles = [{ kind: 'disk_low', at: 0, detail: 'low' }]
  stage.look()
  stage.look()
  t.match(stage.notices, [{ kind: 'disk_low', detail: 'low', code: null }])
  stage.troubles = []
  stage.look()
  stage.troubles = [
    { kind: 'disk_low', at: 0, detail: 'full' },
    { kind: 'backup_failed', at: 5, detail: 'no room' },
  ]
  stage.look()
  stage.troubles = [{ kind: 'backup_failed', at: 6, detail: 'no room' }]
  stage.look(['moved'])
  stage.look()
  t.same(
    stage.notices.map(({ kind }) => kind),
    ['disk_low', 'disk_low', 'backup_failed'],
    'what nobody asked for is no news later',
  )
  stage.site.close()
})

t.test('a week ends on Monday at 9 in the zone of the site, and is summed up once', async t => {
  const stage = new Stage()
  const digests = () => {
    stage.look(['weekly_digest'])
    const next = stage.site.notices.next(7, 0, ['weekly_digest'])
    return next === undefined ? 0 : stage.site.notices.lastId
  }
  const monday = Date.parse('2026-11-30T09:00:00.000+05:30')
  t.equal(lastDigestDue(monday, 'Asia/Kolkata'), monday)
  t.equal(lastDigestDue(monday - 1, 'Asia/Kolkata'), monday - 7 * 24 * HOUR)
  t.equal(lastDigestDue(monday + 6.9 * 24 * HOUR, 'Asia/Kolkata'), monday)
  stage.now = monday - 3 * HOUR
  t.equal(digests(), 0, 'not at first')
  stage.now = monday - 1
  t.equal(digests(), 0)
  stage.now = monday
  t.equal(digests(), 1)
  t.equal(digests(), 1)
  t.match(stage.site.notices.next(7, 0, ['weekly_digest']), { detail: '{"open":3,"created":2,"top":[]}' })
  stage.now = monday + 9 * 24 * HOUR
  t.equal(digests(), 1, 'one that is late by days is left out')
  stage.now = monday + 14 * 24 * HOUR + HOUR
  t.equal(digests(), 2)
  stage.site.close()
})

t.test('no look reads more than 500 events, and marks go with their events', async t => {
  const stage = new Stage()
  stage.markets = Array.from({ length: 1200 }, (_, index) => stage.market({ code: index + 1 }))
  for (const expected of [500, 1000, 1200, 1700]) {
    stage.look()
    t.equal(stage.looked, expected)
  }
  stage.look([])
  t.equal(stage.looked, 1700, 'none where nobody asks')
  t.ok(stage.site.notices.mark(1200, 'moved'))
  stage.markets = stage.markets.slice(0, 1100)
  for (let look = 0; look < 4; look++) stage.look()
  t.equal(stage.site.notices.mark(1200, 'moved'), undefined)
  t.ok(stage.site.notices.mark(1100, 'moved'))
  stage.site.close()
})

t.test('10,000 notices are kept, and those beyond a restored journal are set back', async t => {
  const stage = new Stage()
  const { notices } = stage.site
  const about = { sequence: 7, kind: 'moved', at: START, code: 1, chance: 0.5, change: 0.1, detail: null }
  for (let count = 0; count < 10_050; count++) notices.add(about)
  t.equal(notices.next(0, 0, ['moved'])?.id, 51)
  t.equal(notices.lastId, 10_050)
  notices.add({ ...about, sequence: 90 })
  notices.setBack(8)
  t.match(notices.next(7, 10_050, ['moved']), { sequence: 8 })
  stage.site.close()
})
