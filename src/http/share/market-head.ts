import type { DeskMarket } from '../../exchange/markets/desk-market.js'
import type { DeskGroup } from '../../exchange/groups/desk-group.js'
import type { PageHead } from '../pages/page-head.js'
import { groupSentence } from './group-summary.js'
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
  const picture: readonly Property[] = [
    ['og:image', origin + picturePath(market, site)],
    ['og:image:type', 'image/png'],
    ['og:image:width', '1200'],
    ['og:image:height', '630'],
    ['og:image:alt', `${listing.title}: ${sentence}`],
    ['twitter:card', 'summary_large_image'],
  ]
  return headOf({ ...listing, sentence, address: `${origin}/market/${terms.code}`, more: picture }, site)
}

/** Returns the head of a group's page, which has no picture. */
export function groupHead(group: DeskGroup, site: ShareSite, origin: string): PageHead {
  const { title } = group.listing
  const address = `${origin}/group/${group.terms.code}`
  return headOf(
    { title, sentence: groupSentence(group, site), address, more: [['twitter:card', 'summary']] },
    site,
  )
}

type Property = readonly [name: string, content: string]

interface Shared {
  readonly title: string
  readonly sentence: string
  readonly address: string
  readonly more: readonly Property[]
}

function headOf({ title, sentence, address, more }: Shared, site: ShareSite): PageHead {
  const properties: Property[] = [
    ['og:type', 'website'],
    ['og:site_name', site.name],
    ['og:title', title],
    ['og:description', sentence],
    ['og:url', address],
    ...more,
  ]
  const metas = properties.map(([name, content]) => {
    const kind = name.startsWith('twitter:') ? 'name' : 'property'
    return `<meta ${kind}="${name}" content="${escaped(content)}">`
  })
  const link = `<link rel="canonical" href="${escaped(address)}">`
  return { title: `${title} · ${site.name}`, description: sentence, elements: [link, ...metas].join('\n') }
}
