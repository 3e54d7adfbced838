import type { TimeMs } from '../../core/units.js'
import type { DeskMarket } from '../../exchange/markets/desk-market.js'
import type { EventRanks } from '../event-ranks.js'
import type { ShareSite } from './market-summary.js'
import { summaryOf } from './market-summary.js'
import { escaped } from './markup.js'
import { SHARE_TEXTS } from './share-texts.js'

/** The most markets of each kind. */
const MARKETS_MAX = 30
/** The most markets looked at for these: those that go on come before those with a result. */
const LOOKED_AT_MAX = 20_000

interface Entry {
  readonly id: string
  readonly at: TimeMs
  readonly title: string
  readonly market: DeskMarket
}

/**
 * Returns the newest and the latest resolved markets as an Atom feed, the latest first.
 *
 * @param origin of the addresses, such as `https://markets.example.org`
 */
export function feedText(ranks: EventRanks, site: ShareSite, origin: string, now: TimeMs): string {
  const entries = entriesOf(ranks, site)
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<title>${escaped(SHARE_TEXTS[site.language].feed(site.name))}</title>`,
    `<id>${escaped(origin)}/feed.xml</id>`,
    `<link rel="self" type="application/atom+xml" href="${escaped(origin)}/feed.xml"/>`,
    `<link rel="alternate" type="text/html" href="${escaped(origin)}/"/>`,
    `<author><name>${escaped(site.name)}</name></author>`,
    `<updated>${iso(entries[0]?.at ?? now)}</updated>`,
    ...entries.map(entry => entryText(entry, site, origin)),
    '</feed>',
  ]
  return `${lines.join('\n')}\n`
}

function entriesOf(ranks: EventRanks, site: ShareSite): readonly Entry[] {
  const texts = SHARE_TEXTS[site.language]
  const made = firstOf(ranks.behind('newest', undefined), () => true).map(market => {
    const { id, createdAt, title } = market.listing
    return { id: `urn:raay:${id}:new`, at: createdAt, title: texts.isNew(title), market }
  })
  const resolved = firstOf(ranks.behind('ended', undefined), isResolved).map(market => {
    const { id, title } = market.listing
    const outcome = texts[market.progress.outcome ?? 'void']
    const at = market.resolved?.at ?? market.terms.endAt
    return { id: `urn:raay:${id}:result`, at, title: texts.isResolved(outcome, title), market }
  })
  return [...made, ...resolved].sort((a, b) => b.at - a.at)
}

/** Returns the first events of a list that fit, and looks no further. */
function firstOf(events: Iterable<DeskMarket>, fits: (market: DeskMarket) => boolean): readonly DeskMarket[] {
  const first: DeskMarket[] = []
  let lookedAt = 0
  for (const market of events) {
    if (fits(market) && first.push(market) === MARKETS_MAX) break
    lookedAt++
    if (lookedAt === LOOKED_AT_MAX) break
  }
  return first
}

const isResolved = ({ resolved }: DeskMarket) => resolved !== undefined

function entryText({ id, at, title, market }: Entry, site: ShareSite, origin: string): string {
  const address = `${origin}/market/${market.terms.code}`
  const { category } = market.listing
  return [
    '<entry>',
    `<id>${escaped(id)}</id>`,
    `<title>${escaped(title)}</title>`,
    `<link rel="alternate" type="text/html" href="${escaped(address)}"/>`,
    `<updated>${iso(at)}</updated>`,
    ...(category === undefined ? [] : [`<category term="${escaped(category)}"/>`]),
    `<summary>${escaped(summaryOf(market, site).sentence)}</summary>`,
    '</entry>',
  ].join('\n')
}

function iso(at: TimeMs): string {
  return new Date(at).toISOString()
}
