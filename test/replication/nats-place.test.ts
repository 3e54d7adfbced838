import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isNatsUrl, natsPlace, readLogin } from '../../src/replication/jetstream/nats-place.js'

t.test('URLs of a log', async t => {
  t.strictSame(natsPlace('nats://a,b:4223,[::1]:4222'), {
    servers: ['a', 'b:4223', '[::1]:4222'],
    stream: undefined,
    tls: false,
  })
  t.match(natsPlace('tls://n1.example.org/orders-1'), { stream: 'orders-1', tls: true })
  t.ok(isNatsUrl('tls://a'))
  for (const url of ['s3://bucket', '/srv/log', 'http://a']) t.notOk(isNatsUrl(url), url)
  const refused: readonly (readonly [string, RegExp])[] = [
    ['http://a', /not like nats:/],
    ['nats://', /"" in nats:.* is not like host/],
    ['nats://a,,b', /"" in/],
    ['nats://a b', /"a b" in/],
    ['nats://a:0', /"a:0" in/],
    ['nats://a:70000', /"a:70000" in/],
    ['nats://user:secret@a', /put them in a file/],
    ['nats://a/x.y', /letters, digits/],
    ['nats://a/x/y', /letters, digits/],
    [`nats://${'a,'.repeat(9)}a`, /more than 9/],
  ]
  for (const [url, message] of refused) t.throws(() => natsPlace(url), { message }, url)
  for (const url of ['nats://user:secret@a', 'nats://user:secret/word@a', 'http://user:secret@a']) {
    t.throws(() => natsPlace(url), { message: /^(?!.*secret)/ }, 'a password is not repeated')
  }
})

t.test('logins in files', async t => {
  const directory = t.testdir()
  const login = (text: string) => {
    const path = join(directory, 'login')
    writeFileSync(path, text)
    return readLogin(path)
  }
  const creds = '-----BEGIN NATS USER JWT-----\neyJ\n------END NATS USER JWT------'
  t.strictSame(login(`${creds}\n`), { kind: 'creds', creds })
  const seed = `SU${'A'.repeat(56)}`
  t.strictSame(login(`${seed}\n`), { kind: 'nkey', seed })
  t.strictSame(login('raay:p:w\n'), { kind: 'user', user: 'raay', password: 'p:w' })
  t.throws(() => login('hello'), { message: /neither a \.creds file/ })
  t.throws(() => readLogin(join(directory, 'none')), { message: /cannot be read/ })
})
