import t from 'tap'
import { plainText } from '../../src/core/plain-text.js'

t.test('what people write stays as it is', t => {
  for (const text of [
    'Rain is likely.',
    'Line one\nline two\n\nline four',
    'बारिश होगी, क्योंकि बादल हैं',
    'கொ ক্ষ്য مرحبا 你好 👩‍🌾 👍🏽',
    '<b>not bold</b> & "quoted"',
  ]) {
    t.equal(plainText(text), text)
  }
  t.end()
})

t.test('nothing that hides, reorders or covers other text is left', t => {
  t.equal(plainText('a\u202eb\u2066c\u200bd\u200ee\ufefff\u2060g\u00adh'), 'abcdefgh')
  t.equal(plainText('a\0b\x1b[31mc\x07d\x7f\u0080'), 'ab[31mcd')
  t.equal(plainText('tag\u{e0041}s and \ufff9ruby\ufffb'), 'tags and ruby')
  t.equal(plainText(`Z${'\u0335'.repeat(50)}`), `Z${'\u0335'.repeat(6)}`)
  t.equal(plainText('one\r\ntwo\rthree\u2028four'), 'one\ntwo\nthree\nfour')
  t.equal(plainText('a\n \n\t\n\n\n\nb   '), 'a\n\nb')
  t.equal(plainText(' \u200b\n\u202e '), '')
  t.end()
})
