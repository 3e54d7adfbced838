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
 * Returns the head of a market's page: title, description with the prices, picture, canonical address. Links
 * need full addresses, so without a public address there is neither a picture nor a canonical address.
 */
export function marketHead(market: DeskMarket, site: ShareSite, publicUrl: string | undefined): PageHead {
  const { terms, listing } = market
  const { sentence } = summaryOf(market, site)
  const title = `${listing.title} · ${site.name}`
  const properties: [name: string, content: string][] = [
    ['og:type', 'website'],
    ['og:site_name', site.name],
    ['og:title', listing.title],
    ['og:description', sentence],
  ]
  const links = []
  if (publicUrl !== undefined) {
    const address = `${publicUrl}/market/${terms.code}`
    links.push(`<link rel="canonical" href="${escaped(address)}">`)
    properties.push(
      ['og:url', address],
      ['og:image', publicUrl + picturePath(market, site)],
      ['og:image:type', 'image/png'],
      ['og:image:width', '1200'],
      ['og:image:height', '630'],
      ['og:image:alt', `${listing.title}: ${sentence}`],
      ['twitter:card', 'summary_large_image'],
    )
  }
  const metas = properties.map(([name, content]) => {
    const kind = name.startsWith('twitter:') ? 'name' : 'property'
    return `<meta ${kind}="${name}" content="${escaped(content)}">`
  })
  return { title, description: sentence, elements: [...links, ...metas].join('\n') }
}
