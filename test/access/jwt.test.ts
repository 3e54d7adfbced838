import type { KeyObject } from 'node:crypto'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import type { Identity } from '../../src/access/identity.js'
import type { JwtAlgorithm } from '../../src/access/jwt/jwt-verifier.js'
import { JwtVerifier } from '../../src/access/jwt/jwt-verifier.js'
import type { JwtSettings } from '../../src/access/jwt/open-jwt.js'
import { openJwt } from '../../src/access/jwt/open-jwt.js'
import { ApiError } from '../../src/api/api-error.js'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const SECONDS = NOW / 1000
const SECRET = 'a-secret-of-at-least-thirty-two-bytes'
const CLAIMS = { sub: 'asha', exp: SECONDS + 3600 }
const SETTINGS: JwtSettings = {
  algorithm: 'HS256',
  secrets: [SECRET],
  jwks: undefined,
  audience: undefined,
  issuer: undefined,
  leewaySeconds: 30,
}

class Clock {
  ms = NOW
  warnings: string[] = []
  withdrawals = 0
  readonly withdrawn = () => {
    this.withdrawals++
  }
  readonly now = () => this.ms
  readonly watch = () => this.ms
  readonly warn = (message: string) => {
    this.warnings.push(message)
  }
}

const open = (settings: Partial<JwtSettings> = {}, clock = new Clock()) =>
  openJwt({ ...SETTINGS, ...settings }, clock)

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** A token of HS256; a claim of undefined is left out, and a text is signed as it is. */
function token(claims: unknown = CLAIMS, header: unknown = { alg: 'HS256', typ: 'JWT' }, secret = SECRET) {
  const signed = `${encode(header)}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

/** Returns the reason and message with which a token is refused; the identity if it is not. */
async function outcome(verifier: JwtVerifier, text: string): Promise<Identity | string> {
  try {
    return await verifier.verify(text)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return `${error.code} ${error.reason}: ${error.message}`
  }
}

t.test('a valid token names its user, role, scopes, credential and end', async t => {
  const verifier = await open()
  const identity = verifier.verify(token())
  t.notOk(identity instanceof Promise, 'HS256 is verified at once')
  const { credential, ...rest } = identity as Identity
  t.match(credential, /^jwt:[\w-]{43}$/)
  t.strictSame(rest, {
    kind: 'jwt',
    userId: 'asha',
    role: 'trader',
    scopes: new Set(['read', 'trade']),
    expiresAt: NOW + 3_630_000,
  })
  t.equal(await verifier.verify(token()), identity, 'the verdict is kept')
})

t.test('roles and scopes', async t => {
  const verifier = await open()
  const scopesOf = async (claims: object) => {
    const found = await outcome(verifier, token({ ...CLAIMS, ...claims }))
    return typeof found === 'string' ? found : [...found.scopes].join(' ')
  }
  t.equal(await scopesOf({ role: 'viewer' }), 'read')
  t.equal(await scopesOf({ role: 'admin' }), 'read trade money operate')
  t.equal(await scopesOf({ scope: 'openid trade' }), 'trade')
  t.equal(await scopesOf({ scope: 'openid profile' }), '', 'a scope without any of ours permits nothing')
  t.equal(await scopesOf({ role: 'viewer', scope: 'trade money' }), '', 'a scope never adds to a role')
  for (const role of ['root', '', null, 1, ['admin'], 'toString', '__proto__']) {
    t.match(await scopesOf({ role }), '401 token_wrong: role', JSON.stringify(role))
  }
  for (const scope of [null, ['trade'], 1]) t.match(await scopesOf({ scope }), '401 token_wrong: scope')
})

t.test('claims that are refused', async t => {
  const verifier = await open({ audience: 'raay', issuer: 'https://id.example' })
  const good = { ...CLAIMS, aud: ['other', 'raay'], iss: 'https://id.example' }
  t.match(await outcome(verifier, token(good)), { userId: 'asha' })
  t.match(await outcome(verifier, token({ ...good, nbf: SECONDS + 29, exp: SECONDS - 29 })), {
    userId: 'asha',
  })
  const refused: readonly (readonly [object, string])[] = [
    [{ exp: SECONDS - 30 }, 'token_expired'],
    [{ exp: 0 }, 'token_expired'],
    [{ exp: -1e9 }, 'token_expired'],
    [{ exp: undefined }, 'token_wrong: exp: Required'],
    [{ exp: String(SECONDS + 60) }, 'token_wrong: exp: Expected a time'],
    [{ exp: NOW }, 'token_wrong: exp: Expected a time'],
    [{ exp: 1e308 }, 'token_wrong: exp: Expected a time'],
    [{ exp: null }, 'token_wrong: exp: Expected a time'],
    [{ nbf: SECONDS + 31 }, 'token_wrong: nbf: The token is not valid yet'],
    [{ nbf: 'now' }, 'token_wrong: nbf'],
    [{ aud: undefined }, 'token_wrong: aud'],
    [{ aud: 'raay2' }, 'token_wrong: aud'],
    [{ aud: [['raay']] }, 'token_wrong: aud'],
    [{ aud: { raay: true } }, 'token_wrong: aud'],
    [{ iss: undefined }, 'token_wrong: iss'],
    [{ iss: 'https://id.example/' }, 'token_wrong: iss'],
    [{ iss: ['https://id.example'] }, 'token_wrong: iss'],
    [{ sub: undefined }, 'token_wrong: sub: Required'],
    [{ sub: 7 }, 'token_wrong: sub: Expected a text'],
    [{ sub: '' }, 'token_wrong: sub'],
    [{ sub: 'a'.repeat(129) }, 'token_wrong: sub'],
    [{ sub: ' asha' }, 'token_wrong: sub'],
    [{ sub: 'as\0ha' }, 'token_wrong: sub'],
    [{ sub: 'as\ud800ha' }, 'token_wrong: sub'],
    [{ sub: 'as\u200bha' }, 'token_wrong: sub: Expected no U+200B'],
    [{ sub: 're\u0301mi' }, 'token_wrong: sub: Expected NFC'],
    [{ sub: 'external' }, 'token_wrong: sub: Expected another'],
    [{ sub: 'bot-1' }, 'token_wrong: sub: Expected another'],
  ]
  for (const [claims, expected] of refused) {
    const found = await outcome(verifier, token({ ...good, ...claims }))
    t.match(found, `401 ${expected}`, JSON.stringify(claims))
  }
  for (const sub of ['auth0|5f7c8ec7', 'आशा', 'r\u00e9mi', 'a'.repeat(128)]) {
    t.match(await outcome(verifier, token({ ...good, sub })), { userId: sub })
  }
})

t.test('of a claim made twice the last one counts, as RFC 7519 has it', async t => {
  const verifier = await open()
  const text = `{"sub":"ravi","exp":${SECONDS - 999},"exp":${SECONDS + 60},"sub":"asha"}`
  t.match(await outcome(verifier, token(text)), { userId: 'asha' })
})

t.test('forged, bent and oversized tokens are refused', async t => {
  const verifier = await open()
  const [header = '', payload = '', signature = ''] = token().split('.')
  const none = encode({ alg: 'none' })
  const forged: Readonly<Record<string, string>> = {
    'alg none': `${none}.${payload}.`,
    'alg none with a signature': `${none}.${payload}.${signature}`,
    'no signature': `${header}.${payload}.`,
    'no signature and no dot': `${header}.${payload}`,
    'five parts': `${token()}.${header}.${payload}`,
    'another payload': `${header}.${encode({ ...CLAIMS, sub: 'ravi' })}.${signature}`,
    'another secret': token(CLAIMS, undefined, `${SECRET}!`),
    'a signature cut short': token().slice(0, -1),
    'a signature with padding': `${token()}=`,
    'a signature in base64': `${header}.${payload}.${Buffer.from(signature, 'base64url').toString('base64')}`,
    'a blank in front': ` ${token()}`,
    'a new line behind': `${token()}\n`,
    'other letters': `${header}.${payload}.${'é'.repeat(43)}`,
    HS512: token(CLAIMS, { alg: 'HS512' }),
    hs256: token(CLAIMS, { alg: 'hs256' }),
    'alg as a list': token(CLAIMS, { alg: ['HS256'] }),
    crit: token(CLAIMS, { alg: 'HS256', crit: ['b64'], b64: false }),
    'a header that is a list': token(CLAIMS, []),
    'a header that is null': token(CLAIMS, 'null'),
    'a payload that is a list': token([CLAIMS]),
    'a payload that is a text': token('"asha"'),
    'a payload that is not JSON': token('{'),
    'a payload with a BOM': token(`\ufeff${JSON.stringify(CLAIMS)}`),
    'an encrypted token': `${encode({ alg: 'dir', enc: 'A256GCM' })}..a.b.c`,
    'two dots': '..',
    '64 KB': token({ ...CLAIMS, more: 'x'.repeat(48 * 1024) }),
    'longer by one': token({ ...CLAIMS, more: 'x'.repeat(8192) }).slice(0, 8193),
  }
  for (const [name, text] of Object.entries(forged)) {
    t.match(await outcome(verifier, text), '401 token_wrong', name)
  }
  t.equal(
    await outcome(verifier, forged['64 KB'] ?? ''),
    '401 token_wrong: The token is longer than 8192 characters',
  )
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.indexOf(signature.slice(-1))
  const twin = `${token().slice(0, -1)}${'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'[last ^ 1]}`
  t.match(await outcome(verifier, twin), '401 token_wrong', 'another spelling of the same signature')
})

t.test('key ids and keys in the header of an HS256 token change nothing', async t => {
  const verifier = await open()
  const own = { kty: 'oct', k: encode('another-secret-of-thirty-two-bytes!!') }
  for (const kid of ['../../../../dev/null', "' OR 1=1 --", '\0', '__proto__']) {
    t.match(await outcome(verifier, token(CLAIMS, { alg: 'HS256', kid })), { userId: 'asha' }, kid)
    const empty = token(CLAIMS, { alg: 'HS256', kid, jwk: own }, '')
    t.match(await outcome(verifier, empty), '401 token_wrong', `${kid}, signed with nothing`)
  }
  const self = token(CLAIMS, { alg: 'HS256', jwk: own }, 'another-secret-of-thirty-two-bytes!!')
  t.match(await outcome(verifier, self), '401 token_wrong')
})

t.test('during a rotation both secrets are accepted, and afterwards one', async t => {
  const next = 'the-next-secret-of-at-least-32-bytes!'
  const both = await open({ secrets: [next, SECRET] })
  t.match(await outcome(both, token()), { userId: 'asha' })
  t.match(await outcome(both, token(CLAIMS, undefined, next)), { userId: 'asha' })
  t.match(await outcome(await open({ secrets: [next] }), token()), '401 token_wrong')
})

t.test('a kept verdict ends with its token', async t => {
  const clock = new Clock()
  const verifier = await open({}, clock)
  t.match(await outcome(verifier, token()), { userId: 'asha' })
  clock.ms = NOW + 3_629_999
  t.match(await outcome(verifier, token()), { userId: 'asha' })
  clock.ms++
  t.match(await outcome(verifier, token()), '401 token_expired')
})

t.test('settings that could not work are refused with advice', async t => {
  await t.rejects(open({ algorithm: 'RS256', jwks: '/nowhere/keys.json' }), /cannot be read.*ENOENT/)
  await t.rejects(open({ algorithm: 'RS256', jwks: 'https://' }), /give a file or an https address/)
  const clock = new Clock()
  await open({ algorithm: 'RS256', jwks: 'http://id.invalid/keys' }, clock)
  t.match(clock.warnings, [/plain http/, /cannot be read/])
})

interface Pair {
  readonly kid: string
  readonly algorithm: JwtAlgorithm
  readonly secret: KeyObject
  readonly jwk: object
  readonly pem: string
}

function pair(algorithm: JwtAlgorithm, kid: string): Pair {
  const { publicKey, privateKey } =
    algorithm === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : algorithm === 'ES256'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('ed25519')
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig' }
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString()
  return { kid, algorithm, secret: privateKey, jwk, pem }
}

function signedBy(
  { kid, algorithm, secret }: Pair,
  header: object = { kid },
  claims: object = CLAIMS,
): string {
  const text = `${encode({ alg: algorithm, ...header })}.${encode(claims)}`
  const hash = algorithm === 'EdDSA' ? null : 'sha256'
  const signature = sign(hash, Buffer.from(text), { key: secret, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

for (const algorithm of ['RS256', 'ES256', 'EdDSA'] as const) {
  t.test(`${algorithm} by a file of public keys, which may change`, async t => {
    const [first, second, stranger] = [pair(algorithm, 'a'), pair(algorithm, 'b'), pair(algorithm, 'a')]
    const jwks = join(t.testdir({}), 'keys.json')
    const write = (...pairs: Pair[]) =>
      writeFileSync(jwks, JSON.stringify({ keys: pairs.map(({ jwk }) => jwk) }))
    write(first)
    const clock = new Clock()
    const verifier = await open({ algorithm, jwks }, clock)
    t.match(await outcome(verifier, signedBy(first)), { userId: 'asha' })
    t.notOk(verifier.verify(signedBy(first)) === undefined)
    t.match(await outcome(verifier, signedBy(first, {})), { userId: 'asha' }, 'without a key id')

    const others: Readonly<Record<string, string>> = {
      'another key of this id': signedBy(stranger),
      'an unknown key id': signedBy(first, { kid: 'c' }),
      'its own key in the header': signedBy(stranger, { kid: 'c', jwk: stranger.jwk }),
      'an address of keys in the header': signedBy(stranger, { kid: 'c', jku: 'http://127.0.0.1:1/keys' }),
      'the public key as a secret': token(CLAIMS, { alg: 'HS256', kid: 'a' }, first.pem),
      'that, with the algorithm claimed': token(CLAIMS, { alg: algorithm, kid: 'a' }, first.pem),
      'a key id that is no text': signedBy(first, { kid: ['a'] }),
      extensions: signedBy(first, { kid: 'a', crit: ['b64'], b64: false }),
    }
    for (const [name, text] of Object.entries(others)) {
      t.match(await outcome(verifier, text), '401 token_wrong', name)
    }

    write(first, second)
    t.match(await outcome(verifier, signedBy(second)), '401 token_wrong', 'not read yet')
    clock.ms += 5000
    await verifier.refresh()
    t.match(await outcome(verifier, signedBy(second)), { userId: 'asha' })
    t.match(await outcome(verifier, signedBy(second, {})), { userId: 'asha' }, 'both keys are tried')
    t.match(await outcome(verifier, signedBy(stranger, {})), '401 token_wrong')

    write(second)
    clock.ms += 5000
    await verifier.refresh()
    t.match(
      await outcome(verifier, signedBy(first)),
      '401 token_wrong',
      'a withdrawn key, though it was kept',
    )
    t.equal(clock.withdrawals, 1, 'everyone it let in can be sent away')

    t.match(await outcome(verifier, signedBy(second)), { userId: 'asha' })
    const third = pair(algorithm, 'd')
    write(third)
    clock.ms += 30_000
    t.match(
      await outcome(verifier, signedBy(third)),
      { userId: 'asha' },
      'a token of a new key reads the keys',
    )
    t.match(await outcome(verifier, signedBy(second)), '401 token_wrong', 'and the old one ends with that')
    t.equal(clock.withdrawals, 2)
    write(second)
    clock.ms += 30_000
    await verifier.refresh()

    writeFileSync(jwks, '{"keys":[')
    clock.ms += 5000
    await verifier.refresh()
    clock.ms += 5000
    await verifier.refresh()
    t.match(await outcome(verifier, signedBy(second)), { userId: 'asha' }, 'a damaged file changes nothing')
    t.equal(clock.warnings.length, 1, 'and is logged once')
    await t.rejects(open({ algorithm, jwks }), /cannot be read/, 'but nothing starts with it')
    write(pair(algorithm === 'RS256' ? 'ES256' : 'RS256', 'a'))
    await t.rejects(open({ algorithm, jwks }), /no key for/)
  })
}

t.test('a token under verification while its key is withdrawn is verified again', async t => {
  const waiting: ((isValid: boolean) => void)[] = []
  const keys = {
    edition: 0,
    verifies: () => new Promise<boolean>(resolve => waiting.push(resolve)),
    refresh: async () => false,
  }
  const claims = { audience: undefined, issuer: undefined, leewayMs: 0 }
  const verifier = new JwtVerifier({ ...claims, algorithm: 'HS256', keys, now: () => NOW })
  const asked = outcome(verifier, token(CLAIMS))
  keys.edition++
  await verifier.refresh()
  waiting[0]?.(true)
  while (waiting.length < 2) await new Promise(resolve => setImmediate(resolve))
  waiting[1]?.(false)
  t.match(await asked, '401 token_wrong')
  const again = outcome(verifier, token(CLAIMS))
  t.equal(waiting.length, 3, 'and no verdict of the old key was kept')
  waiting[2]?.(false)
  t.match(await again, '401 token_wrong')
})

t.test('keys of an address that cannot be read at first', async t => {
  const first = pair('ES256', 'a')
  const second = pair('ES256', 'b')
  let keys: unknown
  let requests = 0
  const provider = createServer((_, response) => {
    requests++
    if (keys === 'elsewhere') response.writeHead(302, { Location: '/keys' })
    else response.writeHead(keys === undefined ? 500 : 200)
    response.end(JSON.stringify(keys ?? {}))
  }).listen(0, '127.0.0.1')
  t.teardown(() => provider.close())
  await once(provider, 'listening')
  const jwks = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/keys`
  const clock = new Clock()
  const verifier = await open({ algorithm: 'ES256', jwks }, clock)
  t.match(await outcome(verifier, signedBy(first)), '503 keys_unknown')
  t.equal(requests, 1, 'tokens cause no request while there are no keys')
  t.equal(clock.warnings.length, 1)

  keys = 'elsewhere'
  clock.ms += 5000
  await verifier.refresh()
  t.match(await outcome(verifier, signedBy(first)), '503 keys_unknown', 'a redirect is not followed')
  keys = { keys: [first.jwk] }
  await verifier.refresh()
  t.equal(requests, 2, 'not at once again')
  clock.ms += 5000
  await verifier.refresh()
  t.match(await outcome(verifier, signedBy(first)), { userId: 'asha' })

  keys = { keys: [second.jwk] }
  t.match(await outcome(verifier, signedBy(second)), '401 token_wrong')
  for (let id = 0; id < 50; id++) await outcome(verifier, signedBy(first, { kid: `made-up-${id}` }))
  t.equal(requests, 3, 'unknown key ids cause no request within 30 seconds')
  clock.ms += 30_000
  const found = await Promise.all(
    [1, 2, 3].map(exp =>
      outcome(verifier, signedBy(second, undefined, { ...CLAIMS, exp: CLAIMS.exp + exp })),
    ),
  )
  t.match(found, [{ userId: 'asha' }, { userId: 'asha' }, { userId: 'asha' }])
  t.equal(requests, 4, 'and then one for all who wait')

  keys = undefined
  clock.ms += 5 * 60_000
  await verifier.refresh()
  t.match(await outcome(verifier, signedBy(second)), { userId: 'asha' }, 'an outage locks nobody out')
})
