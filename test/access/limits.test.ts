import t from 'tap'
import { ClientAddresses } from '../../src/access/limits/client-address.js'
import type { Client } from '../../src/access/limits/limiter.js'
import { Limiter } from '../../src/access/limits/limiter.js'
import { networkKey } from '../../src/access/limits/network-key.js'
import { quotaHeaders } from '../../src/access/limits/quota.js'
import { networksIn } from '../../src/access/networks.js'
import { ApiError } from '../../src/api/api-error.js'
import type { LimitKind } from '../../src/api/rate-limits.js'
import { RATE_LIMITS } from '../../src/api/rate-limits.js'
import { Dice } from '../fixtures/dice.js'

const ASHA: Client = { user: 'asha', credential: 'session:1', address: '203.0.113.7' }

class Stage {
  ms = 0
  readonly limiter = new Limiter(() => this.ms)

  /** Takes until a refusal, and returns how often that went well. */
  drain(kind: LimitKind, client: Client, cost = 1): number {
    for (let count = 0; count < 1_000_000; count++) {
      if (this.refusal(kind, client, cost) !== undefined) return count
    }
    return Number.POSITIVE_INFINITY
  }

  refusal(kind: LimitKind, client: Client, cost = 1): ApiError | undefined {
    try {
      this.limiter.take(kind, client, cost)
      return undefined
    } catch (error) {
      if (error instanceof ApiError) return error
      throw error
    }
  }
}

t.test('a client gets its limit at once, and then what refills', async t => {
  const stage = new Stage()
  t.equal(stage.drain('orders', ASHA), 400, "its credential's")
  stage.ms += 1000
  t.equal(stage.drain('orders', ASHA), 40)
  stage.ms += 24
  t.equal(stage.drain('orders', ASHA), 1, 'a fraction of a point is enough to go into debt')
  stage.ms += 3_600_000
  t.equal(stage.drain('orders', ASHA), 400, 'a pause does not save up more')
})

t.test(
  'another credential, user and address have buckets of their own, as far as they share none',
  async t => {
    const stage = new Stage()
    stage.drain('orders', ASHA)
    t.equal(stage.drain('orders', { ...ASHA, credential: 'key:1' }), 100, "what is left of the user's")
    t.equal(stage.drain('orders', { ...ASHA, credential: 'key:2' }), 0)
    const others = ['ravi', 'mira'].map(user => stage.drain('orders', { ...ASHA, user, credential: user }))
    t.strictSame(others, [400, 100], "then the address's")
    t.equal(stage.drain('orders', { ...ASHA, user: 'zoya', credential: 'z', address: '203.0.113.8' }), 400)
    t.equal(stage.drain('cancels', ASHA), 800, 'cancels have buckets of their own')
  },
)

t.test('a refusal says which limit, when to try again, and takes nothing', async t => {
  const stage = new Stage()
  stage.limiter.charge('orders', ASHA, 400)
  const refusal = stage.refusal('orders', ASHA)
  t.match(refusal, {
    code: 429,
    reason: 'too_many_requests',
    message: 'The limit of orders is reached, 400 in 10 s for a key or session: try again in 1 s',
    headers: {
      'Retry-After': '1',
      'RateLimit-Policy': '"orders";q=400;w=10',
      RateLimit: '"orders";r=0;t=1',
    },
  })
  for (let count = 0; count < 1000; count++) stage.refusal('orders', ASHA)
  stage.ms += 1000
  t.equal(stage.drain('orders', ASHA), 40)
  t.equal(stage.refusal('orders', { ...ASHA, credential: 'key:1', address: undefined }), undefined)
})

t.test('a batch counts each of its orders, and may leave a debt', async t => {
  const stage = new Stage()
  t.equal(stage.drain('orders', ASHA, 100), 4)
  stage.ms += 100
  t.equal(stage.drain('orders', ASHA, 100), 1, 'with 4 points left')
  t.equal(stage.refusal('orders', ASHA)?.headers['Retry-After'], '4', 'the debt comes first')
  stage.ms += 2300
  t.not(stage.refusal('orders', ASHA), undefined)
  stage.ms += 200
  t.equal(stage.refusal('orders', ASHA), undefined)
})

t.test('answers tell what is left of the emptiest bucket', async t => {
  const stage = new Stage()
  const headers = (client: Client, cost?: number) => {
    const quota = stage.limiter.take('orders', client, cost)
    return quota && quotaHeaders(quota)
  }
  t.strictSame(headers(ASHA), {
    'RateLimit-Policy': '"orders";q=400;w=10',
    RateLimit: '"orders";r=399;t=1',
  })
  t.strictSame(headers({ ...ASHA, credential: 'key:1' }, 300), {
    'RateLimit-Policy': '"orders";q=400;w=10',
    RateLimit: '"orders";r=100;t=8',
  })
  t.match(
    headers({ ...ASHA, credential: 'key:2' }, 250),
    { RateLimit: '"orders";r=0;t=12' },
    'nothing is left of a debt',
  )
  t.equal(headers({ user: undefined, credential: undefined, address: undefined }), undefined)
})

t.test('charges for work that is already done are waited for', async t => {
  const stage = new Stage()
  t.equal(stage.limiter.waitMs('snapshots', ASHA), 0)
  stage.limiter.charge('snapshots', ASHA, 50_000)
  t.equal(stage.limiter.waitMs('snapshots', ASHA), 21_000, "a credential's debt and a tenth")
  t.equal(stage.limiter.waitMs('snapshots', { ...ASHA, credential: 'key:1' }), 6000, "the user's tenth")
  t.equal(stage.limiter.waitMs('snapshots', { ...ASHA, user: 'ravi', credential: 'key:2' }), 0)
  stage.ms += 21_000
  t.equal(stage.limiter.waitMs('snapshots', ASHA), 0)
})

t.test('sign-ups and logins count by address alone', async t => {
  const stage = new Stage()
  t.equal(stage.drain('logins', ASHA), RATE_LIMITS.logins.address)
  t.equal(stage.drain('logins', { ...ASHA, user: 'ravi', credential: undefined }), 0)
  t.equal(stage.drain('sign_ups', ASHA), RATE_LIMITS.sign_ups.address)
})

t.test('a million made-up addresses and users take bounded memory', async t => {
  const stage = new Stage()
  let most = 0
  for (let count = 0; count < 1_000_000; count++) {
    const address = `${count >> 16}.${(count >> 8) & 255}.${count & 255}.1`
    stage.refusal('reads', { user: undefined, credential: undefined, address })
    if (count % 10_000 === 0) most = Math.max(most, stage.limiter.bucketCount)
  }
  t.ok(most <= 40_000, `${most} buckets`)
  for (let count = 0; count < 100_000; count++) {
    stage.refusal('reads', { user: `user-${count}`, credential: `jwt:${count}`, address: undefined })
  }
  t.ok(stage.limiter.bucketCount <= 120_000)
})

t.test('buckets that are full again are forgotten, but no others', async t => {
  const stage = new Stage()
  for (let count = 0; count < 1000; count++) stage.refusal('orders', { ...ASHA, user: `user-${count}` })
  stage.limiter.charge('orders', ASHA, 800)
  for (let second = 1; second <= 9; second++) {
    stage.ms += 1000
    t.not(stage.refusal('orders', ASHA), undefined, `in debt after ${second} s`)
  }
  stage.ms += 40_000
  stage.refusal('orders', ASHA)
  stage.ms += 40_000
  stage.refusal('orders', ASHA)
  t.ok(stage.limiter.bucketCount <= 6)
})

t.test('in any order of requests nobody gets more than the limit and what refilled', async t => {
  const dice = Dice.fromEnvironment(t)
  const stage = new Stage()
  const taken = new Map<string, number>()
  for (let step = 0; step < 20_000; step++) {
    stage.ms += dice.between(0, 19)
    const address = `198.51.100.${dice.between(1, 5)}`
    const cost = 1 + dice.between(0, 99)
    const isTaken =
      stage.refusal('reads', { user: undefined, credential: undefined, address }, cost) === undefined
    if (isTaken) taken.set(address, (taken.get(address) ?? 0) + cost)
  }
  const most = RATE_LIMITS.reads.address + (stage.ms / 1000) * 200 + 100
  for (const [address, sum] of taken) t.ok(sum <= most, `${address}: ${sum} of ${most}`)
})

t.test('addresses of one network share a key', async t => {
  const keys: readonly (readonly [string, string])[] = [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2::1', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002:ffff::', '2001:db8:1:2'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['', ''],
  ]
  for (const [address, key] of keys) t.equal(networkKey(address), key, address)
})

t.test('X-Forwarded-For is believed as far as trusted proxies wrote it', async t => {
  let trusted = networksIn(['10.0.0.0/8', ' fd00::/8'])
  const addresses = new ClientAddresses(() => trusted)
  const cases: readonly (readonly [peer: string, header: string | undefined, client: string])[] = [
    ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['127.0.0.1', '198.51.100.1', '127.0.0.1'],
    ['10.0.0.1', undefined, '10.0.0.1'],
    ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['fd00::1', '2001:db8::1', '2001:db8::1'],
    ['10.0.0.1', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.2,10.0.0.3', '198.51.100.1'],
    ['10.0.0.1', '10.0.0.9, 10.0.0.2', '10.0.0.9'],
    ['10.0.0.1', '198.51.100.1:5555', '198.51.100.1'],
    ['10.0.0.1', '[2001:db8::1]:5555', '2001:db8::1'],
    ['10.0.0.1', '[2001:db8::1]', '2001:db8::1'],
    ['10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
    ['10.0.0.1', '198.51.100.1, ', '10.0.0.1'],
    ['10.0.0.1', '198.51.100.1, unknown, 10.0.0.2', '10.0.0.2'],
    ['10.0.0.1', '198.51.100.1 10.0.0.2', '10.0.0.1'],
    ['10.0.0.1', '999.1.1.1', '10.0.0.1'],
    ['10.0.0.1', `${'1.1.1.1, '.repeat(1000)}198.51.100.1`, '198.51.100.1'],
    ['10.0.0.1', `198.51.100.1${', 10.0.0.2'.repeat(1000)}`, '10.0.0.2'],
    ['10.0.0.1', 'x'.repeat(16_000), '10.0.0.1'],
    ['10.0.0.1', ','.repeat(16_000), '10.0.0.1'],
  ]
  for (const [peer, header, client] of cases) {
    t.equal(addresses.of(peer, header), client, `${peer} for ${header?.slice(0, 60)}`)
  }
  trusted = networksIn(['10.0.0.1'])
  t.equal(addresses.of('10.0.0.1', '198.51.100.1, 10.9.9.9'), '10.9.9.9', 'a list that changed is followed')
  const untrusting = new ClientAddresses(() => undefined)
  t.equal(untrusting.of('10.0.0.1', '198.51.100.1'), '10.0.0.1', 'nobody is trusted by default')
})
