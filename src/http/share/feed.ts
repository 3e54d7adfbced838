import { isOver } from '../../core/market.js'
import type { MarketCode, TimeMs } from '../../core/units.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { DeskGroup } from '../../exchange/groups/desk-group.js'
import type { DeskMarket } from '../../exchange/markets/desk-market.js'
import type { EventRanks } from '../event-ranks.js'
import { groupSentence } from './group-summary.js'
import type { ShareSite } from './market-summary.js'
import { summaryOf } from './market-summary.js'
import { escaped } from './markup.js'
import { SHARE_TEXTS } from './share-texts.js'

/** The most markets of each kind. */
const MARKETS_MAX = 30
/** The most markets looked at for these: those that go on come before those with a result. */
const LOOKED_AT_MAX = 20_000
/** One that is over, and may have to be read, counts for as many. */
const OVER_COUNT = 10

interface Entry {
  readonly id: string
  readonly at: TimeMs
  readonly title: string
  readonly path: string
  readonly category: string | undefined
  readonly summary: string
}

/** The events, and the groups that some belong to. */
interface FeedParts {
  readonly exchange: { readonly groups: Pick<Exchange['groups'], 'of'> }
  readonly ranks: EventRanks
}

/**
 * Returns the newest and the latest resolved markets as an Atom feed, the latest first. A group is one entry,
 * and an exclusive one has one result.
 *
 * @param origin of the addresses, such as `https://markets.example.org`
 */
export function feedText(parts: FeedParts, site: ShareSite, origin: string, now: TimeMs): string {
  const entries = entriesOf(parts, site)
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<title>${escaped(SHARE_TEXTS[site.language].feed(site.name))}</title>`,
    `<id>${escaped(origin)}/feed.xml</id>`,
    `<link rel="self" type="application/atom+xml" href="${escaped(origin)}/feed.xml"/>`,
    `<link rel="alternate" type="text/html" href="${escaped(origin)}/"/>`,
    `<author><name>${escaped(site.name)}</name></author>`,
    `<updated>${iso(entries[0]?.at ?? now)}</updated>`,
    ...entries.map(entry => entryText(entry, origin)),
    '</feed>',
  ]
  return `${lines.join('\n')}\n`
}

function entriesOf({ exchange, ranks }: FeedParts, site: ShareSite): readonly Entry[] {
  const texts = SHARE_TEXTS[site.language]
  const made = firstOf(ranks.listed('newest', undefined, false, { isFirst: true }), market => {
    const group = exchange.groups.of(market)
    if (group !== undefined && group.markets[0] !== market) return undefined
    const { listing } = market
    const { id, createdAt, title } = group?.listing ?? listing
    const told = { id: `urn:raay:${id}:new`, at: createdAt, title: texts.isNew(title) }
    return { ...told, category: listing.category, ...whereOf(site, market, group) }
  })
  const resolved = firstOf(ranks.behind('ended', undefined), market => {
    const { resolved, listing } = market
    if (resolved === undefined) return undefined
    // Not even read: of a group that memory has forgotten, all outcomes would be.
    if (market.terms.pool !== undefined && market.progress.outcome === 'no') return undefined
    const group = exchange.groups.of(market)
    if (group?.isExclusive === true && !tellsResult(group, market)) return undefined
    const ofVoid = group?.isVoid === true ? group : undefined
    const { id, title } = ofVoid?.listing ?? listing
    const outcome = texts[market.progress.outcome ?? 'void']
    const { category } = listing
    const told = {
      id: `urn:raay:${id}:result`,
      at: resolved.at,
      category,
      title: texts.isResolved(outcome, title),
    }
    return { ...told, ...whereOf(site, market, ofVoid) }
  })
  return [...made, ...resolved].sort((a, b) => b.at - a.at)
}

/** Returns true for one outcome of a group with a result: the winner, or the first void one. */
function tellsResult({ markets }: DeskGroup, market: DeskMarket): boolean {
  const told = markets.find(({ progress: { outcome } }) => outcome === 'yes' || outcome === 'void')
  return told === market
}

/** Returns what an entry says of a market, or of its group, and where. */
function whereOf(site: ShareSite, market: DeskMarket, group: DeskGroup | undefined) {
  if (group !== undefined) {
    return { path: `/group/${group.terms.code}`, summary: groupSentence(group, site) }
  }
  return { path: `/market/${market.terms.code}`, summary: summaryOf(market, site).sentence }
}

/** Returns the first entries that the events of a list give, and looks no further. */
function firstOf(
  events: Iterable<DeskMarket | MarketCode>,
  entryOf: (market: DeskMarket) => Entry | undefined,
): readonly Entry[] {
  const first: Entry[] = []
  let lookedAt = 0
  for (const market of events) {
    if (typeof market === 'number') continue
    const entry = entryOf(market)
    if (entry !== undefined && first.push(entry) === MARKETS_MAX) break
    lookedAt += isOver(market.progress.status) ? OVER_COUNT : 1
    if (lookedAt >= LOOKED_AT_MAX) break
  }
  return first
}

function entryText({ id, at, title, path, category, summary }: Entry, origin: string): string {
  return [
    '<entry>',
    `<id>${escaped(id)}</id>`,
    `<title>${escaped(title)}</title>`,
    `<link rel="alternate" type="text/html" href="${escaped(origin + path)}"/>`,
    `<updated>${iso(at)}</updated>`,
    ...(category === undefined ? [] : [`<category term="${escaped(category)}"/>`]),
    `<summary>${escaped(summary)}</summary>`,
    '</entry>',
  ].join('\n')
}

function iso(at: TimeMs): string {
  return new Date(at).toISOString()
}
