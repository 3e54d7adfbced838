import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { EVENT_DEFAULTS } from '../../src/api/events/event-defaults.js'
import type { Ended } from '../fixtures/raay-command.js'
import { callRaay } from '../fixtures/raay-call.js'
import { startTestServer } from '../fixtures/server-process.js'

/** One grey pixel. */
const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
  'base64',
)

function done(t: Test, { code, stdout, stderr }: Ended, wanted: RegExp | string): void {
  t.same([code, stderr], [0, ''])
  t.match(stdout, wanted)
}

function failed(t: Test, ended: Ended, code: number, message: string | RegExp): void {
  t.same([ended.code, ended.stdout], [code, ''])
  t.match(ended.stderr, message)
  t.match(ended.stderr, /^raay: [^\n]+\n$/, 'one line')
}

t.test('an event is created with the fields given, and defaults for the others', async t => {
  const { url, data, client } = await startTestServer(t)
  const raay = (line: string, ...more: string[]) =>
    callRaay(['event', ...line.split(' '), ...more], { RAAY_URL: url, RAAY_DATA: data })
  done(t, await raay('create --end +2d', 'Will it rain in Pune?'), '1000001 is open: Will it rain in Pune?\n')
  const { body } = await client.get('/events/1000001')
  t.match(body.additional, {
    description: 'Will it rain in Pune?',
    ...EVENT_DEFAULTS,
    category: null,
    source_url: null,
  })
  const { start_date, end_date } = body.additional as { start_date: string; end_date: string }
  t.equal(Date.parse(end_date) - Date.parse(start_date), 2 * 86_400_000)
  const bets =
    '--min-bet 0.5 --max-bet 50 --quantity 500.5 --payout 100 --tick-size 0.5 --sot IMD --category Weather'
  const line = `create ${bets} --start 2098-12-31 --end 2099-01-31T18:30:00+05:30 --json --description`
  const { stdout } = await raay(line, 'Snow at noon.', 'Snow?')
  t.match(JSON.parse(stdout), {
    event_id: '1000002',
    title: 'Snow?',
    description: 'Snow at noon.',
    status: 'scheduled',
    start_date: '2098-12-31T00:00:00.000Z',
    end_date: '2099-01-31T13:00:00.000Z',
    min_bet: 0.5,
    max_bet: 50,
    quantity: 500.5,
    payout: 100,
    tick_size: 0.5,
    sot: 'IMD',
    category: 'Weather',
  })
  const withImage = await raay('edit 1000002 --image 🏏 --json')
  t.match(JSON.parse(withImage.stdout), { image: '🏏', title: 'Snow?' })
  const picture = join(t.testdir({ 'a.jpg': JPEG }), 'a.jpg')
  t.match(await raay('edit 1000002 --json --image', picture), {
    code: 0,
    stdout: /"\/pictures\/[0-9a-f]{32}/,
  })
  const { stdout: without } = await raay('edit 1000002 --category Snow --json --image', '')
  t.match(JSON.parse(without), { image: null, category: 'Snow' })
  failed(t, await raay('edit 1000002 --image ☃☃'), 1, 'raay: emoji: Expected one emoji\n')
  const isMissing = '--image is missing.png: give one emoji, or a PNG, JPEG or WebP file'
  failed(t, await raay('create --end +1d --image missing.png', 'Hail?'), 2, isMissing)
  failed(t, await raay('create --end +2d', 'SNOW'), 1, 'raay: Event already exists\n')
  failed(t, await raay('create --end=-1d', 'Hail?'), 1, 'raay: end_date: Expected a time')
  failed(t, await raay('create --end +1d --payout 1.5', 'Hail?'), 1, 'raay: payout: Expected whole rupees\n')
  failed(t, await raay('create', 'Hail?'), 2, 'missing --end: give when trading ends, such as +7d')
  failed(t, await raay('create --end soon', 'Hail?'), 2, '--end is soon: give 2026-12-31T18:30:00Z')
  failed(t, await raay('create --end +1d --min-bet much', 'Hail?'), 2, '--min-bet is much: give a number')
  failed(t, await raay('create --end +1d'), 2, 'usage: raay event create <title>')
  done(t, await raay('list'), /^[^\n]*\n1000001 [^\n]*\n1000002 [^\n]*\n$/)
})

t.test('an event is edited: the fields given change, and no others', async t => {
  const { url, data, client } = await startTestServer(t)
  const raay = (line: string, ...more: string[]) =>
    callRaay(['event', ...line.split(' '), ...more], { RAAY_URL: url, RAAY_DATA: data })
  const code = await client.createEvent({ title: 'Rain?', description: 'In Pune.', sot: 'weather' })
  const before = (await client.get(`/events/${code}`)).body.additional as Record<string, unknown>
  done(t, await raay(`edit ${code} --title`, 'Rain in Pune?'), `${code} is open: Rain in Pune?\n`)
  const line = `edit ${code} --end 2099-02-01 --max-bet 750 --quantity 5000 --sot rain --category Sky --source-url https://example.org/a --json`
  const { stdout } = await raay(line)
  const edited = JSON.parse(stdout) as Record<string, unknown>
  t.same((await client.get(`/events/${code}`)).body.additional, edited)
  const changes = {
    ...{ title: 'Rain in Pune?', slug: edited.slug, end_date: '2099-02-01T00:00:00.000Z' },
    ...{ max_bet: 750, quantity: 5000, sot: 'rain', category: 'Sky' },
    source_url: 'https://example.org/a',
  }
  t.same(edited, { ...before, ...changes })
  done(t, await raay(line), `"title":"Rain in Pune?"`)
  done(t, await raay('list --category sky'), /^[^\n]*\n1000001 [^\n]*\n$/)
  done(t, await raay('list --category rain'), /^[^\n]*\n$/)
  failed(t, await raay(`edit ${code} --end 2001-01-01`), 1, 'raay: end_date: ')
  failed(t, await raay(`edit ${code} --max-bet 10 --min-bet 20`), 1, /^raay: m\w\w_bet: /)
  failed(t, await raay('edit 1000009 --title x'), 1, 'raay: Event not found\n')
  t.same((await client.get(`/events/${code}`)).body.additional, edited, 'refused edits change nothing')
  await raay(`close ${code}`)
  failed(t, await raay(`edit ${code} --end +5d`), 1, /^raay: Event is closed/)
})
