import t from 'tap'
import { sessionCookieIn } from '../../../src/http/middleware/session-cookie.js'

const PLAIN = 'raay_session=rs_plain'
const SECURE = '__Host-raay_session=rs_secure'

t.test('only a cookie that nobody else could set counts', t => {
  const rows: readonly (readonly [string | undefined, string, string, boolean])[] = [
    ['rs_plain', PLAIN, 'localhost', false],
    ['rs_plain', `a=b; ${PLAIN}; c=d`, '127.0.0.1:3000', false],
    ['rs_plain', PLAIN, '[::1]:3000', false],
    ['rs_secure', SECURE, 'raay.example', true],
    ['rs_secure', SECURE, 'raay.example', false],
    ['rs_secure', `${PLAIN}; ${SECURE}`, 'raay.example', true],
    ['rs_secure', `${PLAIN}; ${SECURE}`, 'localhost', false],
    [undefined, PLAIN, 'localhost', true],
    [undefined, PLAIN, 'raay.example', false],
    [undefined, PLAIN, 'raay.example', true],
    [undefined, PLAIN, 'localhost.evil.example', false],
    [undefined, PLAIN, '10.0.0.1', false],
    [undefined, PLAIN, '', false],
    [undefined, `x${PLAIN}`, 'localhost', false],
    [undefined, `a="${PLAIN}"`, 'localhost', false],
    [undefined, 'raay_session=rs plain', 'localhost', false],
    [undefined, `raay_session=${'x'.repeat(129)}`, 'localhost', false],
  ]
  for (const [token, cookie, host, isEncrypted] of rows) {
    t.equal(sessionCookieIn(cookie, host, isEncrypted)?.session, token, `${cookie} at ${host}`)
  }
  t.end()
})
