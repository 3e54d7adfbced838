import { chanceOf } from '../../api/events/implied-chance.js'
import type { Outcome } from '../../core/market.js'
import { keepsOrders } from '../../core/market.js'
import type { PriceTicks } from '../../core/units.js'
import { toContracts, toRupees } from '../../core/units.js'
import type { DeskMarket } from '../../exchange/markets/desk-market.js'
import type { ShareTexts } from './share-texts.js'
import { SHARE_TEXTS } from './share-texts.js'

/** How the site calls itself, and how it writes. */
export interface ShareSite {
  readonly name: string
  readonly language: 'en' | 'hi'
  readonly timeZone: string
  /** `#rrggbb`. */
  readonly color: string
}

/** A market in a few words. */
export interface MarketSummary {
  /** The chance or the result. */
  readonly headline: string
  readonly label: string
  /** When trading ends or ended. */
  readonly detail: string
  /** The chance with the prices, or the result; with what has been traded. */
  readonly sentence: string
  readonly outcome: Outcome | undefined
  /** From 0 to 1. */
  readonly chance: number | undefined
}

interface Formats {
  readonly key: string
  readonly day: Intl.DateTimeFormat
  readonly number: Intl.NumberFormat
}

/** Those of the last site: to make them takes a millisecond, and a feed has dozens of markets. */
let formats: Formats | undefined

function formatsOf(locale: string, timeZone: string): Formats {
  const key = `${locale} ${timeZone}`
  if (formats?.key === key) return formats
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone })
  formats = { key, day, number: new Intl.NumberFormat(locale) }
  return formats
}

export function summaryOf(market: DeskMarket, site: ShareSite): MarketSummary {
  const texts = SHARE_TEXTS[site.language]
  const { progress, terms } = market
  const { number } = formatsOf(texts.locale, site.timeZone)
  const { outcome, status } = progress
  const detail = endText(keepsOrders(status), terms.endAt, site)
  const traded = texts.traded(number.format(toContracts(progress.volume)))
  if (outcome !== undefined) {
    const headline = texts[outcome]
    const label = outcome === 'void' ? texts.refunded : texts.result
    const sentence = `${texts.resolvedAs(headline)} · ${traded}`
    return { headline, label, detail, sentence, outcome, chance: undefined }
  }
  const quotes = quotesOf(market)
  const chance = chanceOf(quotes)
  const headline = chance === undefined ? '–' : chanceText(chance)
  const label = chance === undefined ? texts.noPrice : texts.chanceOfYes
  const state = keepsOrders(status) ? priceSentence(texts, quotes) : texts.awaitingResult
  const said = chance === undefined ? [texts.noPrice] : [texts.chance(headline)]
  const sentence = [...said, state, traded, detail].filter(part => part !== '').join(' · ')
  return { headline, label, detail, sentence, outcome, chance }
}

/** Says when trading ends, or ended. */
export function endText(isTraded: boolean, endAt: number, site: ShareSite): string {
  const texts = SHARE_TEXTS[site.language]
  const { day } = formatsOf(texts.locale, site.timeZone)
  return (isTraded ? texts.closes : texts.closed)(day.format(endAt))
}

/** Returns the chance of YES; undefined without prices. */
export function chanceIn(market: DeskMarket): number | undefined {
  return chanceOf(quotesOf(market))
}

function quotesOf({ terms, ladder, progress }: DeskMarket) {
  const price = (ticks: PriceTicks | undefined) => (ticks === undefined ? null : toRupees(ticks))
  return {
    payout: toRupees(terms.payout),
    bid: price(ladder.bids(1)[0]?.[0]),
    ask: price(ladder.asks(1)[0]?.[0]),
    last: price(progress.lastPrice),
  }
}

/** Returns what YES and NO cost now; empty where nobody sells one of them. */
function priceSentence(texts: ShareTexts, { payout, bid, ask }: ReturnType<typeof quotesOf>): string {
  if (bid === null || ask === null) return ''
  return texts.prices(`₹${ask.toFixed(2)}`, `₹${(payout - bid).toFixed(2)}`)
}

/** Returns a chance as whole percents, with tenths below 1% and above 99%. */
export function chanceText(chance: number): string {
  const isPlain = chance >= 0.01 && chance <= 0.99
  return `${isPlain ? Math.round(chance * 100) : Math.round(chance * 1000) / 10}%`
}
