import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { inspect } from 'node:util'
import type { Test } from 'tap'
import t from 'tap'
import { readS3Address } from '../../src/backup/stores/s3/s3-place.js'
import { S3Store } from '../../src/backup/stores/s3/s3-store.js'
import { bytesOf, inChunks as chunksOf } from '../fixtures/memory-store.js'
import type { Misfortune, S3Request } from '../fixtures/s3/s3-server.js'
import { S3Server } from '../fixtures/s3/s3-server.js'
import { signatureOf } from '../fixtures/s3/signature.js'

const PART = 1000

const ways = { now: Date.now, wait: async () => 0 }

const inChunks = (contents: Buffer) => chunksOf(contents, 300)

/** A store that does not wait between attempts, with small parts. */
async function opened(t: Test) {
  const server = await S3Server.start(t)
  const waits: number[] = []
  const wait = async (ms: number) => waits.push(ms)
  const store = new S3Store(server.place(), server.credentials, { ...ways, wait, partBytes: PART })
  return { server, store, waits }
}

async function read(store: S3Store, name: string): Promise<Buffer | undefined> {
  const contents = await store.get(name)
  return contents && bytesOf(contents)
}

/** Lets the first requests that fit have bad luck. */
function first(count: number, fits: (request: S3Request) => boolean, misfortune: Misfortune) {
  let left = count
  return (request: S3Request) => (fits(request) && left-- > 0 ? misfortune : undefined)
}

t.test('stores, lists, reads and deletes files of any size', async t => {
  const { server, store } = await opened(t)
  t.same(await store.list(), [])
  for (const length of [0, 1, PART - 1, PART, PART + 1, 3 * PART, 7 * PART, 7 * PART + 10]) {
    const contents = randomBytes(length)
    const name = `file-${length}.db`
    await store.put(name, inChunks(contents))
    t.same(server.objects.get(`exchange/${name}`), contents)
    t.same(await read(store, name), contents)
    t.same(await store.list(), [{ name, bytes: length }])
    await store.delete(name)
    t.equal(await read(store, name), undefined)
  }
  await store.delete('never-there.db')
  t.equal(server.uploads.size, 0, 'no parts are left over')
})

t.test('lists more keys than the store gives in one answer', async t => {
  const { server, store } = await opened(t)
  for (let number = 0; number < 2345; number++) server.objects.set(`exchange/file-${number}`, Buffer.alloc(2))
  t.equal(new Set((await store.list()).map(({ name }) => name)).size, 2345)
  t.equal((await store.list('file-234')).length, 6, 'and no others than it is asked for')
  t.same(await store.list('ile-'), [])
})

t.test('neither lists nor touches keys outside its prefix', async t => {
  const { server, store } = await opened(t)
  const others = ['exchange', 'exchange-2/a.db', 'other/a.db', 'a.db', 'exchange/deeper/a.db', 'exchange/']
  for (const key of others) server.objects.set(key, Buffer.from('theirs'))
  t.same(await store.list(), [])
  for (const name of ['../other/a.db', 'deeper/a.db', '', '.', '/a.db', 'a b', '..']) {
    await t.rejects(store.delete(name), { message: /is no name of a file/ })
    await t.rejects(store.put(name, inChunks(Buffer.from('x'))), { message: /is no name of a file/ })
    await t.rejects(store.get(name), { message: /is no name of a file/ })
  }
  await store.put('a.db', inChunks(Buffer.from('ours')))
  await store.delete('a.db')
  t.same([...server.objects.keys()], others)
  const whole = new S3Store(server.place(''), server.credentials, ways)
  t.same(
    await whole.list(),
    [
      { name: 'exchange', bytes: 6 },
      { name: 'a.db', bytes: 6 },
    ].sort(byName),
  )
})

const byName = (one: { readonly name: string }, other: { readonly name: string }) =>
  one.name < other.name ? -1 : 1

t.test('tries again a few times when the network or the store fails', async t => {
  const contents = randomBytes(5 * PART + 7)
  const kinds: readonly (readonly [string, (request: S3Request) => boolean])[] = [
    ['the first answer of an upload', ({ query }) => query.has('uploads')],
    ['a part', ({ query }) => query.get('partNumber') === '2'],
    ['the last request of an upload', ({ method, query }) => method === 'POST' && query.has('uploadId')],
    ['a list', ({ key }) => key === ''],
    ['a read', ({ method, key }) => method === 'GET' && key !== ''],
  ]
  const fates: readonly Misfortune[] = ['reset', 'reset afterwards', { status: 503, code: 'SlowDown' }]
  for (const [what, fits] of kinds) {
    for (const fate of fates) {
      const { server, store, waits } = await opened(t)
      server.misfortune = first(3, fits, fate)
      await store.put('a.db', inChunks(contents))
      t.same(await read(store, 'a.db'), contents, `${what}: ${JSON.stringify(fate)}`)
      t.same(waits.slice(0, 2), [1000, 2000].slice(0, waits.length))
      t.ok(waits.length > 0)
    }
  }
})

t.test('gives up after four attempts, and leaves neither a file nor parts', async t => {
  for (const fate of ['reset', { status: 500, code: 'InternalError' }] as const) {
    const { server, store, waits } = await opened(t)
    server.misfortune = ({ query }) => (query.get('partNumber') === '2' ? fate : undefined)
    await t.rejects(store.put('a.db', inChunks(randomBytes(9 * PART))), {
      message: fate === 'reset' ? /does not answer \(/ : /refuses \(500 InternalError\)/,
    })
    t.same(waits, [1000, 2000, 4000])
    t.equal(server.objects.size, 0)
    t.equal(server.uploads.size, 0)
  }
})

t.test('no failure of one of several parts ends the process, nor does one of the source', async t => {
  const { server, store } = await opened(t)
  server.misfortune = ({ query }) =>
    ['1', '3'].includes(query.get('partNumber') ?? '') ? { status: 403, code: 'AccessDenied' } : undefined
  await t.rejects(store.put('a.db', inChunks(randomBytes(9 * PART))), {
    message: /403 AccessDenied.+permission/,
  })
  server.misfortune = () => undefined
  async function* broken() {
    yield randomBytes(5 * PART)
    throw new Error('the disk cannot be read')
  }
  await t.rejects(store.put('a.db', broken()), { message: 'the disk cannot be read' })
  t.equal(server.objects.size, 0)
  t.equal(server.uploads.size, 0)
})

t.test('ends a transfer when the exchange stops, even if the store does not answer', async t => {
  const { server, store, waits } = await opened(t)
  const arrived = new Promise<void>(resolve => {
    server.misfortune = () => {
      resolve()
      return 'silence'
    }
  })
  const sent = store.put('a.db', inChunks(randomBytes(5 * PART)))
  await arrived
  store.close()
  await t.rejects(sent, { message: /the exchange stops/ })
  await t.rejects(store.list(), { message: /the exchange stops/ })
  t.same(waits, [], 'nothing is tried again')
})

t.test('does not believe a store that says 200 and has stored nothing, or something else', async t => {
  const { server, store } = await opened(t)
  const isLast = ({ method, query }: S3Request) => method === 'POST' && query.has('uploadId')
  server.misfortune = first(9, isLast, 'failed with 200')
  await t.rejects(store.put('a.db', inChunks(randomBytes(2 * PART))), { message: /has no bytes instead of/ })
  server.objects.set('exchange/a.db', Buffer.from('an older file'))
  await t.rejects(store.put('a.db', inChunks(randomBytes(2 * PART))), { message: /has 13 bytes instead of/ })
})

t.test('says what is wrong, without a secret', async t => {
  const { server } = await opened(t)
  const { keyId, secret } = server.credentials
  const place = server.place()
  const wrong = 'not the secret of this key'
  const cases: readonly (readonly [S3Store, RegExp, number?])[] = [
    [
      new S3Store(place, { keyId, secret: wrong }, ways),
      /SignatureDoesNotMatch\): the secret does not belong/,
    ],
    [
      new S3Store(place, { keyId: 'AKIAOTHER', secret }, ways),
      /InvalidAccessKeyId\): it does not know the key id/,
    ],
    [new S3Store({ ...place, region: 'elsewhere-1' }, { keyId, secret }, ways), /the region is another/],
    [new S3Store({ ...place, bucket: 'nowhere' }, { keyId, secret }, ways), /there is no such bucket/],
    [new S3Store(place, { keyId, secret }, ways), /clock is 20 minutes ahead of its own: set the clock/, -20],
    [new S3Store(place, { keyId, secret }, ways), /clock is 20 minutes behind its own: set the clock/, 20],
  ]
  for (const [store, words, minutes = 0] of cases) {
    server.aheadMs = minutes * 60_000
    const attempts = [
      () => store.list(),
      () => store.get('a.db'),
      () => store.put('a.db', inChunks(Buffer.from('x'))),
      () => store.delete('a.db'),
    ]
    for (const attempt of attempts) {
      const before = server.requests.length
      const error = await attempt().then(
        () => t.fail('it is refused'),
        (thrown: Error) => thrown,
      )
      t.match(error, { message: words })
      t.match(error, { message: /^s3:\/\/(?:raay-backups|nowhere)\/exchange at http:/ })
      for (const hidden of [secret, wrong, 'Signature=', keyId]) {
        t.notOk(inspect(error, { depth: 9, showHidden: true }).includes(hidden))
      }
      t.equal(server.requests.length, before + 1, 'a refusal is not tried again')
    }
  }
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  const endpoint = `http://127.0.0.1:${port}`
  const gone = new S3Store({ ...place, endpoint }, { keyId, secret }, ways)
  await t.rejects(gone.list(), { message: /does not answer \(ECONNREFUSED\)/ })
})

t.test('reads addresses, and refuses all others', async t => {
  t.same(readS3Address('s3://my-bucket'), { bucket: 'my-bucket', prefix: '' })
  t.same(readS3Address('s3://my-bucket/a/b/'), { bucket: 'my-bucket', prefix: 'a/b/' })
  for (const text of [
    's3:/bucket',
    's3://',
    's3://B',
    's3://b',
    's3://buck/../x',
    's3://buck/a b',
    's3://u:p@buck',
  ])
    t.equal(readS3Address(text), undefined, text)
})

t.test(
  "signs as AWS does: the fixture agrees with AWS's examples, and the store with the fixture",
  async t => {
    // https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
    const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
    const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
    const given = (method: string, target: string, more: Record<string, string>, signature: string) => {
      const headers: Record<string, string> = {
        host: 'examplebucket.s3.amazonaws.com',
        'x-amz-content-sha256': empty,
        'x-amz-date': '20130524T000000Z',
        ...more,
      }
      const names = Object.keys(headers).sort().join(';')
      const scope = 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request'
      const authorization = `AWS4-HMAC-SHA256 Credential=${scope},SignedHeaders=${names},Signature=${signature}`
      t.equal(signatureOf({ method, target, headers: { ...headers, authorization } }, secret), signature)
      t.not(signatureOf({ method, target, headers: { ...headers, authorization } }, `${secret}.`), signature)
    }
    given(
      'GET',
      '/test.txt',
      { range: 'bytes=0-9' },
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    )
    given(
      'PUT',
      '/test%24file.text',
      {
        date: 'Fri, 24 May 2013 00:00:00 GMT',
        'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      },
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    )
    given('GET', '/?lifecycle', {}, 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543')
    given(
      'GET',
      '/?max-keys=2&prefix=J',
      {},
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    )
  },
)

t.test('a failed upload closes the file that it did not read to its end', async t => {
  const { server, store } = await opened(t)
  for (const failing of ['POST', 'PUT'] as const) {
    let isClosed = false
    async function* file() {
      try {
        yield* inChunks(randomBytes(20 * PART))
      } finally {
        isClosed = true
      }
    }
    server.misfortune = ({ method }) =>
      method === failing ? { status: 403, code: 'AccessDenied' } : undefined
    await t.rejects(store.put('large.db', file()), { message: /AccessDenied/ })
    t.ok(isClosed, `${failing} failed`)
  }
})
