import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { nextOccurrences } from '../../../src/api/calendar/recurrence.js'
import { dayAt, momentAt, wallTime } from '../../../src/api/calendar/zone-time.js'
import { LIMITS } from '../../../src/api/limits.js'
import type { TimeMs } from '../../../src/core/units.js'
import type { DeskMarket } from '../../../src/exchange/markets/desk-market.js'
import { EventScheduler } from '../../../src/server/site/event-scheduler.js'
import { SiteStore } from '../../../src/site/site-store.js'
import { copyTo } from '../../../src/store/files/backup-file.js'
import { AS_OPERATOR, appOn } from '../../fixtures/http-scenario.js'
import { HOUR, TestExchange } from '../../fixtures/test-exchange.js'

const KOLKATA = 'Asia/Kolkata'
const MINUTE = 60_000
const DAY = 24 * HOUR
const TEMPLATE = {
  ...{ title: 'Rain on {date}?', description: 'By {weekday}.', sot: 'IMD', min_bet: 1, max_bet: 100 },
  ...{ quantity: 100, payout: 10, tick_size: 0.01, category: '', source_url: '' },
  ...{ opens_at: '09:00', closes_at: '18:00', days: 0 },
}
const DAILY = {
  ...{ repeat: 'daily', weekdays: [], month_day: 1, hours_before: 24, ends_on: null, ends_after: null },
  ...{ language: 'en', is_paused: false },
}

/** An exchange with a site on a file, and a scheduler that a test can restart as often as it likes. */
class World {
  readonly log: string[] = []
  readonly audit: string[] = []
  zone = KOLKATA
  site: SiteStore
  #scheduler: EventScheduler
  eventsMax = 100

  constructor(
    readonly test: TestExchange,
    private path: string,
  ) {
    this.site = this.#open()
    this.#scheduler = this.#start()
  }

  static async open(t: Test, now: string): Promise<World> {
    let world: World | undefined
    // Before the directory is created, so that the site closes before it is removed.
    t.teardown(() => world?.site.close())
    const folder = t.testdir()
    const file = join(folder, 'raay.db')
    const test = await TestExchange.open(t, { file, eventsMax: () => world?.eventsMax ?? 100 })
    test.now = momentAt(now, KOLKATA)
    world = new World(test, join(folder, 'site.db'))
    return world
  }

  /** Looks as the server does, for as long as it likes. */
  async look(ms = 10_000): Promise<void> {
    this.test.now += ms
    await this.#scheduler.look()
  }

  /** Returns a copy of the site as it is now. */
  copySite(): string {
    copyTo(this.path, `${this.path}-older`)
    return `${this.path}-older`
  }

  /** Starts again, on another copy of the site if one is given. */
  restart(path = this.path): void {
    this.site.close()
    this.path = path
    this.site = this.#open()
    this.#scheduler = this.#start()
  }

  schedule(fields: object = {}, template: object = {}): number {
    const saved = this.site.templates.put('Rain', { ...TEMPLATE, ...template })
    if (typeof saved === 'string') throw new Error(saved)
    this.site.schedules.put(saved.id, { ...DAILY, ...fields })
    return saved.id
  }

  get markets(): DeskMarket[] {
    return [...this.test.exchange.directory.all()]
  }

  get titles(): string[] {
    return this.markets.map(({ listing }) => listing.title.replace(/^Rain on (.*)\?$/, '$1'))
  }

  get saved() {
    const [saved] = this.site.schedules.all()
    if (saved === undefined) throw new Error('there is no schedule')
    return saved
  }

  #open(): SiteStore {
    return new SiteStore({ path: this.path, now: () => this.test.now as TimeMs })
  }

  #start(): EventScheduler {
    const say = (_: object, words: string) => this.log.push(words)
    const log = { info: say, warn: say, error: say } as never
    const audit = {
      write: (kind: string, { detail }: { detail: string }) => this.audit.push(`${kind} ${detail}`),
    }
    const { site, test } = this
    return new EventScheduler({ exchange: test.exchange, site, audit, timeZone: () => this.zone, log })
  }
}

t.test(
  'a schedule creates each event once, with its own title and times, as long before it opens',
  async t => {
    const world = await World.open(t, '2026-11-20T10:00')
    world.schedule()
    await world.look()
    t.same(world.titles, ['21 Nov 2026'], 'what opened before the schedule was saved is not created')
    const [market] = world.markets
    t.equal(wallTime(market?.terms.startAt ?? 0, KOLKATA), '2026-11-21T09:00')
    t.equal(wallTime(market?.terms.endAt ?? 0, KOLKATA), '2026-11-21T18:00')
    t.match(market?.listing, { description: 'By Saturday.', sot: 'IMD' })
    t.equal(market?.progress.status, 'scheduled')
    for (let look = 0; look < 3; look++) await world.look()
    t.equal(world.markets.length, 1, 'looking again creates nothing')
    await world.look(22 * HOUR)
    await world.look(50 * MINUTE)
    t.equal(world.markets.length, 1)
    await world.look(10 * MINUTE)
    t.same(world.titles, ['21 Nov 2026', '22 Nov 2026'])
    t.match(world.audit, [/^schedule_created Rain: event 1000001, Rain on 21 Nov 2026\?$/, /1000002/])
    t.equal(world.saved.created, 2)
  },
)

t.test(
  'no crash, restart or older copy of the site creates an event twice, whatever its title became',
  async t => {
    const world = await World.open(t, '2026-11-20T10:00')
    const template = world.schedule({ ends_after: 3 })
    const { fields } = world.saved
    const older = world.copySite()
    const database = world.site.schedules
    const pass = database.pass.bind(database)
    database.pass = () => {
      throw new Error('the power is gone')
    }
    await world.look()
    t.equal(world.markets.length, 1, 'created')
    t.equal(world.saved.through, undefined, 'and not recorded')
    t.match(world.log.at(-1), /could not be followed/)
    database.pass = pass
    const [market] = world.markets
    if (market === undefined) throw new Error('there is no event')
    const listing = { title: 'Other', slug: 'other' }
    t.equal(await world.test.exchange.editMarket(market, { terms: {}, listing }), undefined)
    world.restart()
    await world.look()
    t.same(world.titles, ['Other'])
    t.match(world.saved, { created: 1, through: '2026-11-21', trouble: undefined })
    t.equal(world.audit.length, 1, 'one line for one event')

    // Saving the schedule again goes on from there, and so does a clock that is set back.
    world.site.schedules.put(template, fields)
    world.test.now -= 2 * DAY
    await world.look()
    await world.test.restart()
    world.restart()
    world.test.now += 2 * DAY
    await world.look()
    t.same(world.titles, ['Other'])
    world.restart(older)
    t.match(world.saved, { created: 0, through: undefined }, 'a copy from before the first event')
    await world.look()
    t.same(world.titles, ['Other'])
    t.equal(world.saved.created, 1)
    await world.look(5 * DAY)
    t.same(world.titles, ['Other', '25 Nov 2026', '26 Nov 2026'], 'of what was missed, what has not closed')
    await world.look(2 * DAY)
    t.equal(world.markets.length, 3, 'it ends after three, wherever they were counted')
  },
)

t.test('what was missed is created only if it has not closed; the log names the rest', async t => {
  const world = await World.open(t, '2026-11-20T10:00')
  world.schedule({ hours_before: 0 }, { days: 1 })
  await world.look()
  t.same(world.titles, [])
  world.restart()
  await world.look(4 * DAY)
  t.same(world.titles, ['24 Nov 2026', '25 Nov 2026'], 'titles carry the day of closing')
  t.same(
    world.markets.map(({ progress }) => progress.status),
    ['open', 'open'],
  )
  t.match(world.audit[2], /^schedule_skipped Rain: 2 from 2026-11-21 to 2026-11-22, closed already$/)
  await world.look()
  t.equal(world.audit.length, 3, 'and names it once')
})

t.test('a full exchange is tried once a minute and never passes an event over', async t => {
  const world = await World.open(t, '2026-11-20T10:00')
  world.eventsMax = 0
  world.schedule()
  await world.look()
  t.match(world.saved.trouble, { day: '2026-11-21', reason: 'events_full', message: /settle or void/ })
  world.eventsMax = 1
  await world.look()
  t.equal(world.markets.length, 0, 'not before a minute has passed')
  await world.look(MINUTE)
  t.same(world.titles, ['21 Nov 2026'])
  t.equal(world.saved.trouble, undefined)
  t.equal(world.log.length, 2, 'the log has the refusal once')
})

t.test('another event of the same title stays; the schedule goes on with the next day', async t => {
  const world = await World.open(t, '2026-11-20T10:00')
  await world.test.create({ title: 'Rain on 21 Nov 2026?', slug: 'rain-on-21-nov-2026' })
  world.schedule({ hours_before: 48 })
  await world.look()
  t.same(world.titles, ['21 Nov 2026', '22 Nov 2026'])
  t.match(world.saved, { created: 1, through: '2026-11-22', trouble: undefined })
  t.match(world.audit[0], /^schedule_skipped Rain: 2026-11-21, Event already exists$/)
})

t.test('nothing comes from a schedule that is paused, over, removed or without its template', async t => {
  const world = await World.open(t, '2026-11-20T10:00')
  const template = world.schedule({ is_paused: true })
  await world.look()
  await world.look(3 * DAY)
  t.same(world.titles, [], 'paused')
  world.schedule({ ends_on: '2026-11-24' })
  await world.look()
  t.same(world.titles, ['24 Nov 2026'], 'resumed: what opened during the pause is not made up for')
  await world.look(DAY)
  t.same(world.titles, ['24 Nov 2026'], 'over')
  world.schedule({ ends_on: null })
  world.site.templates.remove(template)
  await world.look(DAY)
  world.site.schedules.remove(template)
  await world.look(DAY)
  t.equal(world.markets.length, 1)
  t.same(world.audit.length, 1)
})

t.test('a schedule that is removed while its events are being created creates no more of them', async t => {
  const world = await World.open(t, '2026-11-20T10:00')
  const template = world.schedule({ hours_before: 168 })
  const looking = world.look()
  world.site.schedules.remove(template)
  await looking
  t.same(world.titles, ['21 Nov 2026'], 'the one under way')
  world.schedule({ hours_before: 168 })
  await world.look()
  t.equal(world.saved.created, 6, 'a new schedule leaves alone what has the title already')
  t.equal(world.markets.length, 7)
})

t.test('a start after a long time creates a bounded number at once, and the rest later', async t => {
  const world = await World.open(t, '2026-11-20T10:00')
  world.schedule({}, { days: 60 })
  await world.look(40 * DAY)
  t.equal(world.markets.length, 20)
  await world.look()
  await world.look()
  t.equal(world.markets.length, 41)
  t.equal(new Set(world.titles).size, 41)
})

t.test('days and times are those of the zone, over changes of its clocks and in short months', async t => {
  const NEW_YORK = 'America/New_York'
  const next = (recurrence: object, since: string, count: number, times: object = {}, zone = NEW_YORK) =>
    nextOccurrences(
      { ...DAILY, ...recurrence } as never,
      { ...TEMPLATE, ...times },
      {
        ...{ since: momentAt(since, zone), zone, count },
      },
    ).map(({ opensAt }) => wallTime(opensAt, zone))
  // The clocks go from 02:00 to 03:00 on 8 March and from 02:00 back to 01:00 on 1 November 2026.
  t.same(next({}, '2026-03-07T12:00', 2), ['2026-03-08T09:00', '2026-03-09T09:00'])
  t.same(next({}, '2026-03-07T02:30', 3, { opens_at: '02:30' }), [
    '2026-03-07T02:30',
    '2026-03-08T03:30',
    '2026-03-09T02:30',
  ])
  t.equal(momentAt('2026-11-01T01:30', NEW_YORK), Date.parse('2026-11-01T05:30Z'), 'the first of the two')
  for (const wall of ['2026-11-31T10:00', '2027-02-29T10:00', '2026-13-01T10:00', ''])
    t.ok(Number.isNaN(momentAt(wall, NEW_YORK)), `${wall} is no time of the calendar`)
  t.equal(momentAt('2028-02-29T10:00', NEW_YORK), Date.parse('2028-02-29T15:00Z'))
  t.equal(momentAt('2026-10-25T02:30', 'Europe/Berlin'), Date.parse('2026-10-25T00:30Z'), 'also east of UTC')
  t.equal(momentAt('2026-11-01T09:00', KOLKATA), Date.parse('2026-11-01T03:30Z'))
  t.ok(Number.isNaN(momentAt('', KOLKATA)))
  t.equal(dayAt(Date.parse('2026-11-20T18:30Z'), KOLKATA), '2026-11-21')
  t.same(
    next({ repeat: 'monthly', month_day: 31 }, '2027-01-31T10:00', 3).map(day => day.slice(0, 10)),
    ['2027-02-28', '2027-03-31', '2027-04-30'],
  )
  t.same(
    next({ repeat: 'weekly', weekdays: [1, 7] }, '2026-11-20T10:00', 3).map(day => day.slice(0, 10)),
    ['2026-11-22', '2026-11-23', '2026-11-29'],
  )
  t.same(next({ repeat: 'weekly', weekdays: [] }, '2026-11-20T10:00', 3), [])
  t.same(next({ ends_on: '2026-11-21' }, '2026-11-20T10:00', 3).length, 1)
})

t.test('an operator schedules a template whose title has the date, and nobody else does', async t => {
  const test = await TestExchange.open(t)
  test.now = momentAt('2026-11-20T10:00', KOLKATA)
  const { app } = appOn(test)
  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = AS_OPERATOR,
  ) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await app.request(path, { method, headers: { ...headers, Host: 'localhost' }, ...sent })
    const read = (await answer.json()) as { message: string; additional: unknown }
    return { ...read, status: answer.status }
  }
  const PATH = '/admin/templates/1/schedule'
  t.match(await ask('PUT', PATH, { repeat: 'daily' }), { status: 404, message: 'Template not found' })
  await ask('PUT', '/admin/templates', { name: 'Rain', ...TEMPLATE, title: 'Rain?' })
  t.match(await ask('PUT', PATH, { repeat: 'daily' }), { status: 422, message: /^title: Expected \{date\}/ })
  const long = `${'x'.repeat(LIMITS.titleLengthMax - 8)} {date}`
  await ask('PUT', '/admin/templates', { name: 'Rain', ...TEMPLATE, title: long })
  t.match(await ask('PUT', PATH, { repeat: 'daily' }), { status: 422, message: /^title: Expected at most/ })
  await ask('PUT', '/admin/templates', { name: 'Rain', ...TEMPLATE })
  for (const [body, message] of [
    [{ repeat: 'yearly' }, /^repeat: /],
    [{ repeat: 'weekly' }, /^weekdays: Expected at least one/],
    [{ repeat: 'weekly', weekdays: [8] }, /^weekdays: /],
    [{ repeat: 'monthly', month_day: 32 }, /^month_day: /],
    [{ repeat: 'daily', hours_before: 169 }, /^hours_before: /],
    [{ repeat: 'daily', ends_on: '2026-02-30' }, /^ends_on: Expected a day/],
    [{ repeat: 'daily', ends_after: 0 }, /^ends_after: /],
  ] as const) {
    t.match(await ask('PUT', PATH, body), { status: 422, message }, JSON.stringify(body))
  }
  const weekly = { repeat: 'weekly', weekdays: [7, 6, 6], ends_after: 2 }
  const schedule = {
    ...{ repeat: 'weekly', weekdays: [6, 7], hours_before: 24, created: 0, trouble: null },
    next: ['2026-11-21T03:30:00.000Z', '2026-11-22T03:30:00.000Z'],
  }
  t.match(await ask('PUT', PATH, weekly), { status: 200, additional: { id: 1, schedule } })
  t.match(await ask('GET', '/admin/templates'), { additional: { templates: [{ schedule }] } })
  const undated = { name: 'Rain', ...TEMPLATE, title: 'Rain?' }
  t.match(await ask('PUT', '/admin/templates', undated), {
    status: 422,
    message: /^title: Expected \{date\}/,
  })
  const lengthened = { name: 'Rain', ...TEMPLATE, title: long }
  t.match(await ask('PUT', '/admin/templates', lengthened), {
    status: 422,
    message: /^title: Expected at most/,
  })
  t.match(await ask('GET', '/admin/templates'), { additional: { templates: [{ title: TEMPLATE.title }] } })
  const paused = await ask('PUT', PATH, { ...weekly, is_paused: true })
  t.match(paused.additional, { schedule: { is_paused: true, next: [] } })
  for (let time = 0; time < 2; time++) {
    t.match(await ask('DELETE', PATH), { status: 200, additional: { id: 1, schedule: null } })
  }
})
