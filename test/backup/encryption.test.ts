import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Identity, Recipient } from '../../src/backup/encryption/age-keys.js'
import { newKeys, readIdentity, readRecipient } from '../../src/backup/encryption/age-keys.js'
import { decrypted, encrypted } from '../../src/backup/encryption/age-streams.js'
import { encryptFile } from '../../src/backup/encryption/encrypt-file.js'
import { encryptInThread } from '../../src/backup/encryption/encrypt-thread.js'
import { makeIdentityFile, readIdentityFile } from '../../src/backup/encryption/identity-file.js'
import { EncryptedStore } from '../../src/backup/stores/encrypted-store.js'
import { bytesOf, inChunks, MemoryStore } from '../fixtures/memory-store.js'

/** Age encrypts in pieces of this size. */
const PIECE = 65_536
const NOW = Date.UTC(2026, 10, 21, 18)

const sealed = async (contents: Buffer, ...recipients: Recipient[]) =>
  bytesOf(await encrypted(inChunks(contents), recipients))
const opened = async (contents: Buffer, ...identities: Identity[]) =>
  bytesOf(await decrypted(inChunks(contents), identities))

t.test('gives back files of any size, to each of several keys', async t => {
  const [one, two] = [await newKeys(), await newKeys()]
  for (const length of [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, 3 * PIECE + 7]) {
    const contents = randomBytes(length)
    const file = await sealed(contents, one.recipient, two.recipient)
    t.same(await opened(file, one.identity), contents)
    t.same(await opened(file, (await newKeys()).identity, two.identity), contents)
    t.notOk(length > 20 && file.includes(contents.subarray(0, 20)))
  }
})

t.test('refuses a file that was cut off anywhere, changed or lengthened', async t => {
  const { identity, recipient } = await newKeys()
  const contents = randomBytes(2 * PIECE)
  const file = await sealed(contents, recipient)
  const head = file.length - 2 * (PIECE + 16)
  for (const length of [
    0,
    10,
    head - 1,
    head,
    head + 1,
    head + PIECE + 16,
    file.length - 16,
    file.length - 1,
  ])
    await t.rejects(opened(file.subarray(0, length), identity), `cut at ${length} of ${file.length}`)
  await t.rejects(opened(Buffer.concat([file, Buffer.alloc(1)]), identity))
  for (const at of [40, head + 5, file.length - 1]) {
    const changed = Buffer.from(file)
    changed[at] = (changed[at] ?? 0) ^ 1
    await t.rejects(opened(changed, identity), `changed at ${at}`)
  }
  await t.rejects(opened(file, (await newKeys()).identity))
})

t.test('refuses mistyped keys, and keys of other kinds', async t => {
  const { identity, recipient } = await newKeys()
  t.equal(readRecipient(recipient), recipient)
  t.equal(readIdentity(identity), identity)
  const changed = (key: string) => key.slice(0, -1) + (/[qQ]$/.test(key) ? 'p' : 'q')
  for (const text of [
    '',
    'age1',
    changed(recipient),
    identity,
    `${recipient} `,
    'ssh-ed25519 AAAA',
    'age1pq1x',
  ])
    t.equal(readRecipient(text), undefined, text)
  for (const text of ['', recipient, changed(identity), identity.toLowerCase()])
    t.equal(readIdentity(text), undefined)
})

t.test('keeps a secret key in a file of its owner, never over another, and never in a message', async t => {
  const path = join(t.testdir(), 'keys', 'backup.key')
  const recipient = await makeIdentityFile(path, NOW)
  t.equal(statSync(path).mode & 0o777, 0o600)
  const text = readFileSync(path, 'utf8')
  t.match(text, /^# created: 2026-11-21T18:00:00Z\n# public key: age1\w{58}\nAGE-SECRET-KEY-1\w{58}\n$/)
  const [identity] = readIdentityFile(path)
  t.same(
    await opened(await sealed(Buffer.from('hello'), recipient), identity as Identity),
    Buffer.from('hello'),
  )
  await t.rejects(makeIdentityFile(path, NOW), { message: /is there already/ })
  t.equal(readFileSync(path, 'utf8'), text)

  const secret = text.split('\n')[2] ?? ''
  writeFileSync(path, `\n# two\n${secret.slice(0, -1)}\n`)
  const message = messageOf(() => readIdentityFile(path))
  t.match(message, /line 3, is not a secret key/)
  t.notOk(message.includes(secret.slice(0, 20)))
  writeFileSync(path, '# nothing\n')
  t.match(
    messageOf(() => readIdentityFile(path)),
    /has no secret key/,
  )
  t.match(
    messageOf(() => readIdentityFile(`${path}.none`)),
    /cannot be read \(ENOENT\)/,
  )
})

t.test('encrypts in a thread as in this one, and leaves nothing behind when that fails', async t => {
  const directory = t.testdir()
  const source = join(directory, 'a.db')
  const target = join(directory, 'a.db.age')
  const contents = randomBytes(3 * PIECE)
  writeFileSync(source, contents)
  const { identity, recipient } = await newKeys()
  for (const encrypt of [encryptFile, encryptInThread]) {
    const made = await encrypt({ source, target, recipients: [recipient] })
    const file = readFileSync(target)
    t.same(made, { bytes: file.length, sha256: createHash('sha256').update(file).digest('hex') })
    t.equal(statSync(target).mode & 0o777, 0o600)
    t.same(await opened(file, identity), contents)
    const missing = encrypt({ source: join(directory, 'none'), target, recipients: [recipient] })
    await t.rejects(missing, { message: /ENOENT/ })
    t.same(readdirSync(directory), ['a.db'])
  }
})

t.test('a store encrypts what is put into it, and shows old and new files alike', async t => {
  const { identity, recipient } = await newKeys()
  const path = join(t.testdir(), 'raay-1.db')
  const contents = randomBytes(2 * PIECE)
  writeFileSync(path, contents)
  const inner = new MemoryStore()
  await new EncryptedStore(inner, { recipients: [], identities: [] }).putFile('raay-0.db', path)
  const store = new EncryptedStore(inner, { recipients: [recipient], identities: [identity] })
  const made = await store.putFile('raay-1.db', path)
  await store.put('raay-1.json', inChunks(Buffer.from('{}')))
  t.same([...inner.files.keys()], ['raay-0.db', 'raay-1.db.age', 'raay-1.json'])
  t.equal(made?.bytes, inner.files.get('raay-1.db.age')?.length)
  t.same(
    (await store.list()).map(({ name }) => name),
    ['raay-0.db', 'raay-1.db', 'raay-1.json'],
  )
  for (const name of ['raay-0.db', 'raay-1.db']) t.same(await readFrom(store, name), contents)
  t.equal(await store.get('raay-2.db'), undefined)

  const blind = new EncryptedStore(inner, { recipients: [recipient], identities: [] })
  await t.rejects(readFrom(blind, 'raay-1.db'), { message: /raay-1.db.age is encrypted: give your key with/ })
  const { identity: other } = await newKeys()
  const stranger = new EncryptedStore(inner, { recipients: [], identities: [other] })
  await t.rejects(readFrom(stranger, 'raay-1.db'), { message: /was encrypted for other keys/ })
  const file = inner.files.get('raay-1.db.age') ?? Buffer.alloc(0)
  inner.files.set('raay-1.db.age', file.subarray(0, file.length - 1000))
  await t.rejects(readFrom(store, 'raay-1.db'), { message: /is cut off or damaged/ })
  inner.get = async () => broken()
  await t.rejects(readFrom(store, 'raay-9.db'), { message: 'the network is gone' })

  inner.putFile = async () => Promise.reject(new Error('the network is gone'))
  await t.rejects(store.putFile('raay-3.db', path), { message: 'the network is gone' })
  t.same(readdirSync(join(path, '..')), ['raay-1.db'], 'no encrypted copy stays behind')
  await store.delete('raay-1.db')
  t.same([...inner.files.keys()], ['raay-0.db', 'raay-1.json'])
})

const hasAge = spawnSync('age', ['--version']).status === 0

t.test("Debian's age opens what this encrypts, and the other way round", async t => {
  if (!hasAge) {
    t.comment('skipped: there is no program age')
    return
  }
  const directory = t.testdir()
  const key = join(directory, 'backup.key')
  const recipient = await makeIdentityFile(key, NOW)
  const contents = randomBytes(3 * PIECE + 5)
  writeFileSync(join(directory, 'ours.age'), await sealed(contents, recipient))
  t.same(execFileSync('age', ['--decrypt', '-i', key, join(directory, 'ours.age')]), contents)
  const theirs = execFileSync('age', ['-r', recipient], { input: contents })
  t.same(await opened(theirs, ...readIdentityFile(key)), contents)
  const made = execFileSync('age-keygen', { stdio: ['ignore', 'pipe', 'ignore'] })
  writeFileSync(key, made)
  t.equal(readIdentityFile(key).length, 1)
})

async function readFrom(store: EncryptedStore, name: string): Promise<Buffer> {
  const contents = await store.get(name)
  return contents === undefined ? Buffer.alloc(0) : bytesOf(contents)
}

// biome-ignore lint/correctness/useYield: it fails before there is anything to yield
async function* broken(): AsyncGenerator<Uint8Array> {
  throw new Error('the network is gone')
}

function messageOf(work: () => unknown): string {
  try {
    work()
    return 'nothing was thrown'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
