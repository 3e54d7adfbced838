import t from 'tap'
import type { StoredSettings } from '../../src/web/trade/settings/kept-settings.js'
import { KeptSettings, NOTHING_KEPT } from '../../src/web/trade/settings/kept-settings.js'
import { DEFAULTS, settingsAmong } from '../../src/web/trade/settings/known-settings.js'
import { SettingsCopies } from '../../src/web/trade/settings/settings-copies.js'
import { SettingsSync } from '../../src/web/trade/settings/settings-sync.js'

/** A browser’s sync with an exchange whose answers a test decides. */
class Desk {
  kept: KeptSettings = NOTHING_KEPT
  /** All desks of a test may share it. */
  readonly exchange: { stored: StoredSettings }
  reads = 0
  writes: StoredSettings[] = []
  /** Thrown by the next requests. */
  fault: Error | undefined
  /** Called while the exchange answers. */
  during: { read?: () => void; write?: () => void } = {}
  readonly sync: SettingsSync
  readonly #pauses: (() => void)[] = []

  constructor(exchange: { stored: StoredSettings } = { stored: {} }) {
    this.exchange = exchange
    this.sync = new SettingsSync({
      load: () => this.kept,
      store: kept => {
        this.kept = kept
      },
      fetch: async () => {
        this.reads++
        if (this.fault !== undefined) throw this.fault
        const { stored } = this.exchange
        this.during.read?.()
        return stored
      },
      save: async stored => {
        this.writes.push(stored)
        this.during.write?.()
        if (this.fault !== undefined) throw this.fault
        this.exchange.stored = stored
      },
      pause: () => new Promise(resolve => this.#pauses.push(resolve)),
    })
  }

  /** Loads a page. */
  async begin(): Promise<this> {
    void this.sync.run()
    await settle()
    return this
  }

  async afterPause(): Promise<void> {
    this.#pauses.shift()?.()
    await settle()
  }
}

/** The copies of a page in a browser that has stored these texts. */
function copiesIn(browser: Map<string, string | undefined>): SettingsCopies {
  return new SettingsCopies({
    read: key => browser.get(key),
    write: (key, text) => browser.set(key, text),
  })
}

/** Lets everything run that waits for nothing but promises. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

t.test('values of the exchange win where it has them, and others stay as they are here', async t => {
  const desk = new Desk({ stored: { ticket_confirm: 'always', notices_fills: false } })
  desk.kept = NOTHING_KEPT.withChosen('ticket_type', 'LO').withChosen('ticket_confirm', 'never')
  await desk.begin()
  t.same(desk.kept.chosen, { ticket_type: 'LO', ticket_confirm: 'always', notices_fills: false })
  t.same([desk.reads, desk.writes.length], [1, 0], 'nothing is sent that the user did not change')
})

t.test('a change counts at once, and reaches another browser of the user', async t => {
  const desk = await new Desk().begin()
  desk.sync.change('ticket_confirm', 'always')
  t.equal(desk.kept.chosen.ticket_confirm, 'always')
  await desk.afterPause()
  const phone = await new Desk(desk.exchange).begin()
  t.same(phone.kept, { chosen: { ticket_confirm: 'always' }, unsaved: [] })
})

t.test('wrong, foreign and inherited values from the exchange do not count', async t => {
  const wrong = {
    ticket_type: 'limit',
    ticket_unit: true,
    ticket_confirm: 'toString',
    ticket_keys: 'off',
    ticket_contracts: '1e9',
    ticket_rupees: '9'.repeat(13),
    notices_fills: 0,
    notices_sound: true,
    constructor: 'x',
  }
  t.same(settingsAmong(wrong), {})
  for (const text of ['', '0', '0.05', '-5', ' '.repeat(30), `${' '.repeat(30)}5`, '<b>'])
    t.same(settingsAmong({ ticket_rupees: text }), {}, `a quantity of '${text}'`)
  t.same(settingsAmong({ ...DEFAULTS, other: 1 }), DEFAULTS)
  for (const name of Object.keys(DEFAULTS))
    for (const value of [null, undefined, {}, [], Number.NaN, 'x'])
      t.same(settingsAmong({ [name]: value }), {}, `${name}: ${String(value)}`)
})

t.test('a broken copy of this browser is as none', async t => {
  for (const text of [undefined, '', 'nonsense', 'null', '[]', '{"chosen":null}', '{"chosen":{}}'])
    t.same(KeptSettings.read(text), NOTHING_KEPT, String(text))
  const text = '{"chosen":{"ticket_type":"LO","x":1},"unsaved":["ticket_type","x","ticket_unit"]}'
  t.same(KeptSettings.read(text), { chosen: { ticket_type: 'LO' }, unsaved: ['ticket_type'] })
})

t.test('what others stored under the user’s name stays there', async t => {
  const desk = await new Desk({ stored: { bot_speed: 3, theme: 'x', ticket_type: 'limit' } }).begin()
  desk.sync.change('ticket_unit', 'contracts')
  await desk.afterPause()
  const others = { bot_speed: 3, theme: 'x', ticket_type: 'limit' }
  t.same(desk.exchange.stored, { ...others, ticket_unit: 'contracts' })
})

t.test('two open pages do not undo each other’s changes; the last one to a setting counts', async t => {
  const exchange = { stored: {} }
  const desk = await new Desk(exchange).begin()
  const phone = await new Desk(exchange).begin()
  desk.sync.change('ticket_type', 'LO')
  desk.sync.change('ticket_keys', false)
  await desk.afterPause()
  phone.sync.change('notices_fills', false)
  phone.sync.change('ticket_keys', true)
  await phone.afterPause()
  t.same(exchange.stored, { ticket_type: 'LO', notices_fills: false, ticket_keys: true })
  t.equal(phone.kept.chosen.ticket_type, 'LO', 'a page that writes reads, too')
})

t.test('many changes go together, one write between two pauses', async t => {
  const desk = await new Desk().begin()
  for (let count = 1; count <= 50; count++) desk.sync.change('ticket_rupees', String(count))
  t.same([desk.reads, desk.writes.length], [1, 0], 'the pause after the load holds')
  await desk.afterPause()
  t.same(desk.writes, [{ ticket_rupees: '50' }])
  desk.sync.change('ticket_unit', 'contracts')
  t.equal(desk.writes.length, 1)
  await desk.afterPause()
  t.equal(desk.writes.length, 2)
  await desk.afterPause()
  t.same([desk.reads, desk.writes.length], [3, 2], 'nothing goes on by itself')
  desk.sync.change('ticket_unit', 'contracts')
  await desk.afterPause()
  t.same([desk.reads, desk.writes.length], [3, 2], 'the same value again is no change')
})

t.test('a failed write loses nothing, is not repeated by itself, and goes with the next page', async t => {
  const desk = await new Desk({ stored: { ticket_type: 'MO' } }).begin()
  desk.fault = new Error('503 site_full')
  desk.sync.change('ticket_type', 'LO')
  await desk.afterPause()
  await desk.afterPause()
  t.same([desk.reads, desk.writes.length], [2, 0])
  t.same(desk.kept, { chosen: { ticket_type: 'LO' }, unsaved: ['ticket_type'] })

  const later = new Desk(desk.exchange)
  later.kept = KeptSettings.read(JSON.stringify(desk.kept))
  later.during = {
    write: () => {
      later.fault = new Error('403')
    },
  }
  await later.begin()
  t.same(later.kept.unsaved, ['ticket_type'], 'a refused write neither')
  t.equal(later.kept.chosen.ticket_type, 'LO')
  Object.assign(later, { fault: undefined, during: {} })
  await later.afterPause()
  later.sync.change('ticket_keys', false)
  await settle()
  t.same(desk.exchange.stored, { ticket_type: 'LO', ticket_keys: false })
  t.same(later.kept.unsaved, [])
})

t.test('an answer without settings wipes nothing out', async t => {
  const desk = new Desk({ stored: undefined as unknown as StoredSettings })
  desk.kept = NOTHING_KEPT.withChange('ticket_type', 'LO')
  await desk.begin()
  t.same(desk.writes, [])
  t.same(desk.kept.unsaved, ['ticket_type'])
})

t.test('a change while the exchange answers is neither undone nor forgotten', async t => {
  const desk = new Desk({ stored: { ticket_type: 'MO' } })
  desk.during = { read: () => desk.sync.change('ticket_type', 'LO') }
  await desk.begin()
  t.equal(desk.kept.chosen.ticket_type, 'LO', 'while it was read')
  t.same(desk.exchange.stored, { ticket_type: 'LO' })

  desk.during = { write: () => desk.sync.change('ticket_rupees', '7') }
  desk.sync.change('ticket_rupees', '5')
  await desk.afterPause()
  t.same(desk.kept.chosen.ticket_rupees, '7', 'while it was written')
  t.same(desk.kept.unsaved, ['ticket_rupees'])
  desk.during = {}
  await desk.afterPause()
  t.same(desk.exchange.stored, { ticket_type: 'LO', ticket_rupees: '7' })
})

t.test('nothing goes from one user of a browser to another', async t => {
  const browser = new Map<string, string | undefined>()
  const copies = copiesIn(browser)
  copies.store(undefined, NOTHING_KEPT.withChosen('ticket_type', 'LO'))
  copies.store('asha', NOTHING_KEPT.withChange('ticket_unit', 'contracts'))
  copies.moveVisitorsTo('asha')
  const ashas = { chosen: { ticket_type: 'LO', ticket_unit: 'contracts' }, unsaved: ['ticket_unit'] } as const
  t.same(copies.load('asha'), ashas, 'she keeps what she chose as a visitor, and does not send it')
  t.same(copies.load(undefined), NOTHING_KEPT)

  copies.moveVisitorsTo('ravi')
  t.same(copies.of('ravi'), NOTHING_KEPT)
  const stored = copies.load('ravi').withStored({ ticket_confirm: 'never' })
  copies.store('ravi', stored.withChange('ticket_keys', false))
  t.same(copies.of('asha'), ashas)
  t.same(copies.of('Asha'), NOTHING_KEPT)
  t.same(copies.of(undefined), NOTHING_KEPT, 'nor to a visitor after them')

  const later = copiesIn(browser)
  for (const owner of ['asha', 'ravi', undefined])
    t.same(later.load(owner), copies.of(owner), 'on later pages')
})

t.test('what a user chose goes before what a visitor chose in the same browser', async t => {
  const copies = copiesIn(new Map())
  copies.store(undefined, NOTHING_KEPT.withChosen('ticket_type', 'LO').withChosen('ticket_keys', false))
  copies.store('asha', NOTHING_KEPT.withChosen('ticket_type', 'MO'))
  copies.moveVisitorsTo('asha')
  t.same(copies.load('asha'), { chosen: { ticket_type: 'MO', ticket_keys: false }, unsaved: [] })
})

t.test('other tabs change the copies that a page uses, and no others', async t => {
  const copies = copiesIn(new Map())
  copies.load('asha')
  const kept = NOTHING_KEPT.withChange('ticket_type', 'LO')
  copies.adopt({ key: 'raay.settings.asha', newValue: JSON.stringify(kept) })
  t.same(copies.of('asha'), kept)
  for (const key of ['raay.settings.ravi', 'raay.theme', null]) copies.adopt({ key, newValue: 'dark' })
  t.same(copies.of('ravi'), NOTHING_KEPT)
  copies.adopt({ key: 'raay.settings.asha', newValue: null })
  t.same(copies.of('asha'), NOTHING_KEPT, 'another tab removed it')
})
