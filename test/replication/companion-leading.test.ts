import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { newKeys } from '../../src/backup/encryption/age-keys.js'
import type { StoreKeys } from '../../src/backup/stores/encrypted-store.js'
import { CompanionPacks } from '../../src/replication/companions/companion-packs.js'
import { ObjectPacks } from '../../src/replication/companions/object-packs.js'
import type { PackLog } from '../../src/replication/companions/pack-log.js'
import { PackSender } from '../../src/replication/companions/pack-sender.js'
import { SITE_FILE } from '../../src/site/site-schema.js'
import { Companion } from '../../src/store/companions/companion.js'
import type { Held, Outbox } from '../../src/store/companions/companion-outbox.js'
import { Dice } from '../fixtures/dice.js'
import { MarkedStore } from '../fixtures/lossy-store.js'
import { roomyDirectory } from '../fixtures/server/server-directory.js'
import { TestExchange } from '../fixtures/test-exchange.js'

/** A log of the site in memory, which refuses packs while it is full. */
class FullLog implements PackLog {
  readonly name = 'the log'
  readonly #inner = new ObjectPacks(new MarkedStore(new Dice(1)), 'site')
  isFull = false
  refused = 0
  /** Called after each refusal. */
  onRefused: () => void = () => undefined

  async put(place: number, pack: Uint8Array): Promise<boolean> {
    if (!this.isFull) return this.#inner.put(place, pack)
    this.refused++
    setImmediate(this.onRefused)
    throw new Error('the log is full')
  }

  get = (place: number) => this.#inner.get(place)
  confirm = (place: number, pack: Uint8Array) => this.#inner.confirm(place, pack)
  last = () => this.#inner.last()
  trim = (before: number) => this.#inner.trim(before)
}

/** The site of an exchange that leads, with what brings its changes to a log. */
function siteOf(
  t: Test,
  log: PackLog,
  file = join(roomyDirectory(t), 'raay.db'),
  keys: StoreKeys = { recipients: [], identities: [] },
) {
  const failures: (string | undefined)[] = []
  let noteHeld: (held: Held) => void = () => undefined
  const packs = new CompanionPacks({
    ...{ kind: SITE_FILE, file, log, keys, lingerMs: 0 },
    warn: () => undefined,
    followed: () => undefined,
    held: held => noteHeld(held),
    failing: reason => failures.push(reason),
    untrimmed: () => undefined,
  })
  const path = join(file, '..', 'site.db')
  const openFile = () => {
    const site = new Companion({ path, isLenient: true, replication: 'leads' }, SITE_FILE)
    const outbox = site.lead() as Outbox
    outbox.onChange(() => packs.noteChanged())
    t.teardown(async () => {
      await packs.close()
      site.close()
    })
    const put = (name: string) =>
      site.prepare('INSERT OR REPLACE INTO pictures (name, bytes) VALUES (?, ?)').run(name, Buffer.alloc(9))
    const allHeld = () =>
      new Promise<void>(resolve => {
        noteHeld = ({ number }) => {
          if (number >= outbox.last) resolve()
        }
      })
    return { put, allHeld }
  }
  return { packs, failures, path, openFile }
}

t.test('an exchange leads although the log of its site is full, and sends once it has room', async t => {
  const log = new FullLog()
  log.isFull = true
  const { packs, failures, openFile } = siteOf(t, log)
  t.equal(await packs.open(0), true)
  log.onRefused = () => packs.hurry()
  await packs.lead(0)
  t.ok(failures.includes('the log is full'))
  const { put, allHeld } = openFile()
  put('one')
  const held = allHeld()
  const refusedBefore = log.refused
  // An answer that waits does not wait for the pause between two attempts, which grows to half a minute.
  log.onRefused = () => {
    if (log.refused > refusedBefore + 12) log.isFull = false
    packs.hurry()
  }
  const sending = packs.send(0)
  await held
  t.equal(failures.at(-1), undefined)
  await packs.close()
  await sending
})

t.test('a file that cannot be read for a moment is read again, and the exchange goes on', async t => {
  const log = new FullLog()
  const { packs, failures, openFile } = siteOf(t, log)
  await packs.open(0)
  await packs.lead(0)
  const { put, allHeld } = openFile()
  put('one')
  const { send } = PackSender.prototype
  t.teardown(() => {
    PackSender.prototype.send = send
  })
  let faults = 0
  PackSender.prototype.send = async function (this: PackSender) {
    if (faults++ > 3) return send.call(this)
    setImmediate(() => packs.hurry())
    throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_READ' })
  }
  const held = allHeld()
  const sending = packs.send(0)
  await held
  t.ok(failures.includes('disk I/O error'))
  t.equal(failures.at(-1), undefined)
  await packs.close()
  await sending
})

t.test('a site that is gone is not made while the log that may have it cannot be read', async t => {
  const exchange = await TestExchange.open(t)
  const { packs, path } = siteOf(t, new FullLog(), exchange.file)
  rmSync(path, { force: true })
  t.equal(packs.openAlone('timeout'), true, 'an exchange without a batch has had none')
  rmSync(path)
  await exchange.create()
  await exchange.close()
  const { packs: later } = siteOf(t, new FullLog(), exchange.file)
  t.throws(() => later.openAlone('timeout'), { message: /site\.db is gone, .*cannot be read \(timeout\)/ })
  t.notOk(existsSync(path))
  t.equal(later.openAlone(undefined), true, 'a log that is not its own yet has nothing of it')
})

t.test('a standby that would lead an encrypted log in plain text does not begin', async t => {
  const log = new FullLog()
  const { recipient, identity } = await newKeys()
  const keys = { recipients: [recipient], identities: [] }
  const { packs, openFile } = siteOf(t, log, undefined, keys)
  await packs.open(0)
  await packs.lead(0)
  const { put, allHeld } = openFile()
  put('one')
  const held = allHeld()
  const sending = packs.send(0)
  await held
  await packs.close()
  await sending
  const standby = (recipients: StoreKeys['recipients']) =>
    siteOf(t, log, undefined, { recipients, identities: [identity] }).packs.open(Number.POSITIVE_INFINITY)
  await t.rejects(standby([]), /is encrypted: name --backup-recipient/)
  t.equal(await standby(keys.recipients), true)
})
