import t from 'tap'
import { callRaay } from '../fixtures/raay-call.js'
import { startTestServer } from '../fixtures/server-process.js'

t.test('quotes are replaced in one step: those that stay keep their place, and --none ends them', async t => {
  const { url, client } = await startTestServer(t)
  const code = await client.createEvent()
  const quotes = (words: string) =>
    callRaay(['order', 'quotes', code, ...words.split(' '), '--user', 'mira'], { RAAY_URL: url })
  const first = await quotes('buy 10 @ 4.8, sell 10 no @ 4.4')
  t.equal(first.code, 0, first.stderr)
  t.match(first.stdout, /^placed {3}1000001-1-\w+ rests in the book: mira buys 10 YES at ₹4\.80\.\n/)
  t.match(first.stdout, /\nplaced {3}1000001-2-\w+ rests in the book: mira sells 10 NO at ₹4\.40\.\n/)
  t.match(first.stdout, /\n0 quotes have ended\.\n$/)
  const second = await quotes('buy 6 @ 4.8,sell 10 @ 99')
  t.equal(second.code, 1, 'a rejected quote is no success')
  t.match(
    second.stdout,
    /^reduced {2}1000001-1-\w+ rests in the book: mira buys 6 YES at ₹4\.80\.\nrejected /,
  )
  t.match(second.stdout, /\n1 quote has ended\.\n$/)
  t.match(await quotes('--none'), { code: 0, stdout: '1 quote has ended.\n' })
  for (const [words, message] of [
    ['buy 6 @ 4.8 --none', /usage: raay order quotes <code> buy\|sell/],
    ['buy 6 @ market', /a quote needs a price/],
  ] as const) {
    const refused = await quotes(words)
    t.same([refused.code, refused.stdout], [2, ''])
    t.match(refused.stderr, message)
  }
})
