import t from 'tap'
import { en as card } from '../../src/web/texts/en/embed.js'
import { en } from '../../src/web/texts/en/markets.js'
import { en as share } from '../../src/web/texts/en/share.js'
import { hi as hindiCard } from '../../src/web/texts/hi/embed.js'
import { hi } from '../../src/web/texts/hi/markets.js'
import { hi as hindiShare } from '../../src/web/texts/hi/share.js'
import { changePoints } from '../../src/web/trade/markets/change-points.js'
import type { ListQuery } from '../../src/web/trade/markets/list-query.js'
import { listAddress, listQueryIn, VIEWS } from '../../src/web/trade/markets/list-query.js'
import { watchedCodes } from '../../src/web/trade/markets/watched-codes.js'
import { embedCode } from '../../src/web/trade/share/embed-code.js'

t.test('every search, view and category comes back from its address', async t => {
  for (const view of VIEWS) {
    for (const words of ['', 'rain & snow', 'क्या बारिश', '100% +1 #?=']) {
      for (const category of [undefined, 'Sports & more', 'क्रिकेट']) {
        const query: ListQuery = { view, words, category }
        t.same(listQueryIn(listAddress(query).slice(1)), query)
      }
    }
  }
  t.equal(listAddress({ view: 'trending', words: ' ', category: undefined }), '/', 'the default has no query')
})

t.test(
  'an address that anyone may have written shows the default instead of what it does not know',
  async t => {
    t.same(listQueryIn('?view=__proto__&category=&q='), { view: 'trending', words: '', category: undefined })
    t.same(listQueryIn('?view=TRENDING&other=1').view, 'trending')
    t.equal(listQueryIn(`?q=${'x'.repeat(5000)}`).words.length, 200)
  },
)

t.test('a remembered watchlist is read once each, and never anything but codes', async t => {
  t.same(watchedCodes('1000002,1000001,1000002'), ['1000002', '1000001'])
  t.same(watchedCodes('x,<b>,100000,10000001,0000001,,1000001 '), [])
  t.same(watchedCodes(undefined), [])
  const many = Array.from({ length: 300 }, (_, index) => 1_000_001 + index).join(',')
  t.equal(watchedCodes(many).length, 200)
})

t.test('the change of a chance follows the latest price, and is unknown before the first trade', async t => {
  const market = { change_24h: 0.5, last_price: 6, payout: 10 }
  t.equal(changePoints(market, 6), 5)
  t.equal(changePoints(market, 6.3), 8, 'a trade since the list was loaded counts')
  t.equal(changePoints(market, 5), -5)
  t.equal(changePoints({ change_24h: null, last_price: null, payout: 10 }, null), undefined)
  t.equal(changePoints({ ...market, payout: 100 }, 6), 1)
})

t.test('counts markets and points in both languages', async t => {
  t.same([en.found(1), en.found(1234), en.points(1)], ['1 market', '1,234 markets', '1 pt'])
  t.same([hi.found(0), hi.points(5)], ['0 मार्केट', '5 अंक'])
})

t.test('no title breaks out of the code of a card', async t => {
  const code = embedCode('https://x.example', '1000001', '"><script>alert(1)</script>&amp;')
  t.match(code, /^<iframe (?:\w+="[^"<>]*" ?)+><\/iframe>$/)
  t.match(code, 'src="https://x.example/embed/1000001"')
  t.match(code, 'title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;"')
})

t.test('the card and sharing have all texts in both languages', async t => {
  t.same(Object.keys(hindiCard), Object.keys(card))
  t.same(Object.keys(hindiShare), Object.keys(share))
})
