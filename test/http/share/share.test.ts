import t from 'tap'
import type { MarketCode, TimeMs } from '../../../src/core/units.js'
import type { DeskMarket } from '../../../src/exchange/markets/desk-market.js'
import { EventRanks } from '../../../src/http/event-ranks.js'
import { feedText } from '../../../src/http/share/feed.js'
import { withHead } from '../../../src/http/pages/page-head.js'
import { groupHead, marketHead, picturePath } from '../../../src/http/share/market-head.js'
import { summaryOf } from '../../../src/http/share/market-summary.js'
import { escaped } from '../../../src/http/share/markup.js'
import { TestGroup } from '../../fixtures/group-exchange.js'
import { HOUR, TestExchange } from '../../fixtures/test-exchange.js'

const SITE = { name: 'Raay', language: 'en', timeZone: 'Asia/Kolkata', color: '#1b4fd0' } as const
const HINDI = { ...SITE, language: 'hi' } as const
const PAGE = `<html><head>
<title>Raay – trade on what happens next</title>
<meta name="description" content="Trade YES and NO.">
</head><body></body></html>`
const URL_OF_SITE = 'https://markets.example.org'

/** Titles that would break out of an element, an attribute or a replacement. */
const ATTACKS = [
  '</title><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onload='alert(1)",
  '$& $` $1 $<name> $$',
  '</head></html><!--',
  ']]><x/>',
  '&lt;b&gt; &amp; &#60;',
  'x\u0000\u0008\u001b\ufffe\ud800y',
]

const partsOf = ({ exchange }: TestExchange) => ({
  exchange,
  ranks: new EventRanks(exchange.directory, () => exchange.now()),
})

async function marketNamed(test: TestExchange, title: string): Promise<DeskMarket> {
  return test.create({ title, slug: `slug-${Math.abs(hash(title))}` })
}

function hash(text: string): number {
  let sum = 7
  for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) | 0
  return sum
}

/** Reads a text as a browser would. */
function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

t.test('no title breaks out of the head of a page', async t => {
  const test = await TestExchange.open(t)
  for (const title of ATTACKS) {
    const head = marketHead(await marketNamed(test, title), SITE, URL_OF_SITE)
    const html = withHead(PAGE, head)
    const inner = html.slice(html.indexOf('<head>') + 6, html.indexOf('</head>'))
    t.equal(html.split('</head>').length, 2, title)
    const tags = inner.match(/<[^>]*>/g) ?? []
    t.same(
      tags.filter(
        tag =>
          !/^<(?:\/?title|meta (?:name|property)="[\w:]+" content="[^"<>]*"|link rel="canonical" href="[^"<>]*")>$/.test(
            tag,
          ),
      ),
      [],
      `${title}: only elements of ours`,
    )
    t.notMatch(inner.replaceAll(/<[^>]*>/g, ''), /[<>"]/)
    const shown = unescaped(/<title>([^<]*)<\/title>/.exec(html)?.[1] ?? '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must be gone
    t.equal(shown, `${title.replaceAll(/[\u0000\u0008\u001b\ufffe\ud800]/g, '')} · Raay`)
  }
})

t.test('no title breaks out of the feed', async t => {
  const test = await TestExchange.open(t)
  for (const title of ATTACKS) await marketNamed(test, title)
  const text = feedText(partsOf(test), SITE, 'https://x.example/"><b>', test.now as TimeMs)
  const names = new Set((text.match(/<\/?([\w:?]+)/g) ?? []).map(name => name.replace(/^<\/?/, '')))
  const known = 'feed title id link author name updated entry category summary ?xml'.split(' ')
  t.same(
    [...names].filter(name => !known.includes(name)),
    [],
  )
  t.notMatch(text, /&(?!amp;|lt;|gt;|quot;|#39;)/)
  t.equal(text.match(/<entry>/g)?.length, ATTACKS.length)
  t.equal(text.match(/<entry>/g)?.length, text.match(/<\/entry>/g)?.length)
})

t.test('the head names the price, and full addresses', async t => {
  const test = await TestExchange.open(t)
  const market = await test.create({ title: 'Will it rain?' })
  t.match(marketHead(market, SITE, URL_OF_SITE).description, /^No price yet/)
  await test.playAll(['asha buy 10 @ 6', 'ben sell 4 @ 6.4', 'ben sell 2 @ 6'])
  const head = marketHead(market, SITE, URL_OF_SITE)
  t.equal(head.title, 'Will it rain? · Raay')
  t.match(head.description, '62% chance of YES · YES ₹6.40, NO ₹4.00 · 2 contracts traded · Closes')
  t.match(head.elements, '<link rel="canonical" href="https://markets.example.org/market/1000001">')
  t.match(head.elements, 'content="https://markets.example.org/share/1000001/62.png"')
  t.match(head.elements, '<meta property="og:title" content="Will it rain?">')
  t.match(marketHead(market, HINDI, URL_OF_SITE).description, '‘हाँ’ की संभावना 62% · ‘हाँ’ ₹6.40, ‘नहीं’ ₹4.00')
})

t.test('a resolved market shows its result, with another picture', async t => {
  const test = await TestExchange.open(t)
  const market = await test.create()
  await test.playAll(['asha buy 2 @ 6', 'ben sell 2 @ 6'])
  const before = picturePath(market, SITE)
  await test.exchange.moveMarket(market, 'close')
  t.match(summaryOf(market, SITE).sentence, 'Closed, awaiting result')
  await test.exchange.resolveMarket(market, { outcome: 'no' })
  await test.exchange.drain()
  t.match(summaryOf(market, SITE), { headline: 'NO', label: 'Result' })
  t.match(summaryOf(market, HINDI), { headline: 'नहीं', label: 'नतीजा' })
  t.not(picturePath(market, SITE), before)
  const feed = feedText(partsOf(test), SITE, URL_OF_SITE, test.now as TimeMs)
  t.match(feed, '<title>NO: Rain</title>')
  t.match(feed, '<title>New: Rain</title>')
  const ids = [...feed.matchAll(/<id>([^<]*)<\/id>/g)].map(([, id]) => id)
  t.equal(new Set(ids).size, ids.length, 'each entry has an id of its own')
})

t.test('a group is one entry of the feed, with one result, and its page has a head of its own', async t => {
  const test = await TestExchange.open(t)
  const [cup, off] = [await TestGroup.create(test, 5), await TestGroup.create(test, 4, { title: 'Off' })]
  await cup.play('B: asha buy 2 @ 6', 'B: ben sell 2 @ 6', 'A: asha buy 2 @ 3', 'A: ben sell 2 @ 3')
  const titlesIn = (feed: string) => [...feed.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => title)
  const read = () => feedText(partsOf(test), SITE, URL_OF_SITE, test.now as TimeMs)
  t.same(titlesIn(read()).slice(1).sort(), ['New: Cup', 'New: Off'])
  t.match(read(), `${URL_OF_SITE}/group/${cup.code}"`)
  t.match(read(), /<summary>B 60%, A 30% · 5 outcomes · Closes /)
  await cup.close()
  await off.close('A')
  await off.resolveOne('A', 'no')
  t.equal(titlesIn(read()).length, 3, 'an elimination is no entry')
  await cup.resolve('B')
  await off.resolve('void')
  t.same(titlesIn(read()).slice(1).sort(), ['New: Cup', 'New: Off', 'Void: Off', 'YES: Cup: B'])
  t.match(read(), '<summary>Resolved: B</summary>')
  const ids = [...read().matchAll(/<id>([^<]*)<\/id>/g)].map(([, id]) => id)
  t.equal(new Set(ids).size, ids.length, 'each entry has an id of its own')
  const head = groupHead(cup.group, HINDI, URL_OF_SITE)
  t.match(head, { title: 'Cup · Raay', description: 'नतीजा: ‘B’' })
  t.match(head.elements, `<link rel="canonical" href="${URL_OF_SITE}/group/${cup.code}">`)
  t.match(groupHead(off.group, SITE, URL_OF_SITE), { description: 'Resolved: Void' })
})

t.test('the feed reads no outcome of a forgotten group but those that it tells of', async t => {
  const test = await TestExchange.open(t)
  const cups: TestGroup[] = []
  for (const title of ['Red', 'Green', 'Blue']) {
    const cup = await TestGroup.create(test, 8, { title })
    await cup.close()
    cups.push(cup)
  }
  for (const [index, cup] of cups.entries()) {
    for (const letter of 'CDEFGH') await cup.resolveOne(letter, 'no')
    if (index < 2) await cup.resolve('A')
    else await cup.resolve('void')
  }
  const read = () => feedText(partsOf(test), SITE, URL_OF_SITE, test.now as TimeMs)
  test.now += 3 * 24 * HOUR
  const expected = read()
  for (const title of ['New: Red', 'New: Green', 'New: Blue', 'YES: Red: A', 'YES: Green: A', 'Void: Blue']) {
    t.match(expected, `<title>${title}</title>`)
  }
  test.exchange.advanceClock()
  await test.exchange.drain()
  test.now += 2000
  test.exchange.advanceClock()
  const { directory } = test.exchange
  t.same([...directory.allInMemory()], [])
  const { source } = directory
  if (source === undefined) throw new Error('the tables are read')
  let groups = 0
  const ofGroup = (code: MarketCode) => {
    groups++
    return source.ofGroup(code)
  }
  const alone: MarketCode[] = []
  const market = (code: MarketCode) => {
    alone.push(code)
    return source.market(code)
  }
  const others = {
    group: (code: MarketCode) => source.group(code),
    quotes: (code: MarketCode) => source.quotes(code),
    codeOfSlug: () => undefined,
    codeOfId: () => undefined,
    close: () => source.close(),
  }
  directory.readFrom({ ...others, ofGroup, market })
  t.equal(read(), expected)
  t.equal(groups, 3)
  t.same(
    alone.sort(),
    cups.map(({ code }) => code + 1),
    'the first of each, and then the whole',
  )
})

t.test('the feed is bounded, the latest first', async t => {
  const test = await TestExchange.open(t)
  for (let count = 0; count < 40; count++) {
    test.now += 1000
    await test.create({ title: `Market ${count}` })
  }
  const feed = feedText(partsOf(test), SITE, URL_OF_SITE, test.now as TimeMs)
  const titles = [...feed.matchAll(/<title>New: ([^<]*)<\/title>/g)].map(([, title]) => title)
  t.equal(titles.length, 30)
  t.equal(titles[0], 'Market 39')
})

t.test('a feed makes no format for each of its markets', async t => {
  const test = await TestExchange.open(t)
  for (let count = 0; count < 5; count++) await test.create({ title: `Market ${count}` })
  let made = 0
  const { DateTimeFormat } = Intl
  t.teardown(() => Object.assign(Intl, { DateTimeFormat }))
  class Counted extends DateTimeFormat {
    constructor(...given: ConstructorParameters<typeof DateTimeFormat>) {
      super(...given)
      made++
    }
  }
  Object.assign(Intl, { DateTimeFormat: Counted })
  for (let feed = 0; feed < 3; feed++) feedText(partsOf(test), SITE, URL_OF_SITE, test.now as TimeMs)
  t.ok(made <= 1, `${made} made`)
  const text = feedText(partsOf(test), { ...SITE, timeZone: 'Asia/Tokyo' }, URL_OF_SITE, test.now as TimeMs)
  t.match(text, 'Market 4')
  t.ok(made <= 2, 'another site has others')
})

t.test('escapes what HTML and XML read, and drops what XML may not hold', async t => {
  t.equal(escaped(`<a href="x" y='z'>&`), '&lt;a href=&quot;x&quot; y=&#39;z&#39;&gt;&amp;')
  t.equal(escaped('a\u0000\u000b\ud800b🎉क\n'), 'ab🎉क\n')
})
