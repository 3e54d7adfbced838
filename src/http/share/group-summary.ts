import { keepsOrders } from '../../core/market.js'
import type { DeskGroup } from '../../exchange/groups/desk-group.js'
import type { ShareSite } from './market-summary.js'
import { chanceIn, chanceText, endText } from './market-summary.js'
import { SHARE_TEXTS } from './share-texts.js'

/** The outcomes that are named with their chances. */
const NAMED_MAX = 3

/** Returns a group in a sentence: its winner, or the likeliest outcomes and when trading ends. */
export function groupSentence({ markets, isExclusive, isVoid }: DeskGroup, site: ShareSite): string {
  const texts = SHARE_TEXTS[site.language]
  const winner = isExclusive ? markets.find(({ progress }) => progress.outcome === 'yes') : undefined
  if (isVoid) return texts.resolvedAs(texts.void)
  if (winner !== undefined) return texts.resolvedAs(winner.listing.label ?? winner.listing.title)
  const chances = markets.flatMap(market => {
    const chance = market.progress.outcome === undefined ? chanceIn(market) : undefined
    return chance === undefined ? [] : [[market.listing.label ?? '', chance] as const]
  })
  const likeliest = chances.sort(([, a], [, b]) => b - a).slice(0, NAMED_MAX)
  const named = likeliest.map(([label, chance]) => `${label} ${chanceText(chance)}`).join(', ')
  const endAt = markets.reduce((last, { terms }) => Math.max(last, terms.endAt), 0)
  const isTraded = markets.some(({ progress }) => keepsOrders(progress.status))
  const parts = [named, texts.outcomes(markets.length), endText(isTraded, endAt, site)]
  return parts.filter(part => part !== '').join(' · ')
}
