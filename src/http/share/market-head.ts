import type { DeskMarket } from '../../exchange/markets/desk-market.js'
import type { PageHead } from '../pages/page-head.js'
import type { ShareSite } from './market-summary.js'
import { summaryOf } from './market-summary.js'
import { escaped } from './markup.js'

/** Returns the path of a market's picture; another chance gives another path, so none is out of date. */
export function picturePath(market: DeskMarket, site: ShareSite): string {
  const { headline } = summaryOf(market, site)
  const version = headline.replaceAll(/[^\d.]/g, '') || (market.progress.outcome ?? 'new')
  return `/share/${market.terms.code}/${version}.png`
}

/**
 * Returns the head of a market's page: title, description with the prices, picture, canonical address.
 *
 * @param origin the address of the exchange, since links need full addresses
 */
export function marketHead(market: DeskMarket, site: ShareSite, origin: string): PageHead {
  const { terms, listing } = market
  const { sentence } = summaryOf(market, site)
  const title = `${listing.title} · ${site.name}`
  const address = `${origin}/market/${terms.code}`
  const properties: [name: string, content: string][] = [
    ['og:type', 'website'],
    ['og:site_name', site.name],
    ['og:title', listing.title],
    ['og:description', sentence],
    ['og:url', address],
    ['og:image', origin + picturePath(market, site)],
    ['og:image:type', 'image/png'],
    ['og:image:width', '1200'],
    ['og:image:height', '630'],
    ['og:image:alt', `${listing.title}: ${sentence}`],
    ['twitter:card', 'summary_large_image'],
  ]
  const metas = properties.map(([name, content]) => {
    const kind = name.startsWith('twitter:') ? 'name' : 'property'
    return `<meta ${kind}="${name}" content="${escaped(content)}">`
  })
  const link = `<link rel="canonical" href="${escaped(address)}">`
  return { title, description: sentence, elements: [link, ...metas].join('\n') }
}
