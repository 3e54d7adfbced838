import type { Access } from '../../access/access.js'
import { pageRoutes } from '../../api/site/page-routes.js'
import type { Binding, Call } from '../routing/handle.js'
import { handle } from '../routing/handle.js'
import { ApiError } from '../../api/api-error.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { DeskMarket } from '../../exchange/markets/desk-market.js'
import type { EventRanks } from '../event-ranks.js'
import type { PictureContent } from './pictures/picture-content.js'
import type { PictureMaker } from './pictures/picture-maker.js'
import { cachesFor } from '../middleware/caches-for.js'
import { deliver } from '../middleware/envelope.js'
import type { HeadOf } from '../pages/page-handlers.js'
import { feedText } from './feed.js'
import { groupHead, marketHead } from './market-head.js'
import type { ShareSite } from './market-summary.js'
import { summaryOf } from './market-summary.js'

const PICTURE_SECONDS = 300
const FEED_SECONDS = 60
const FEED_TYPE = 'application/atom+xml; charset=utf-8'

interface ShareOptions {
  readonly exchange: Exchange
  readonly ranks: EventRanks
  readonly site: () => ShareSite
  /** Says whether everybody may read about markets; else pages say nothing of them in their heads. */
  readonly access: Pick<Access, 'publicReads'>
  /** The address that users type; without one, links lead to the host that was asked, which was accepted. */
  readonly publicUrl: string | undefined
  readonly pictures: Pick<PictureMaker, 'picture'> | undefined
  /** The picture shown where one cannot be drawn. */
  readonly fallback: Uint8Array<ArrayBuffer> | undefined
}

/** The routes of sharing, and the heads of the pages of events. */
export interface Share {
  readonly handlers: readonly Binding[]
  readonly headOf: HeadOf
}

/** Opens what links to markets show elsewhere. */
export function openShare(options: ShareOptions): Share {
  const { exchange, site, publicUrl, access } = options
  return {
    handlers: shareHandlers(options),
    headOf: (code, call) => {
      if (!access.publicReads) return undefined
      const [market, group] = [exchange.marketWritten(code), exchange.groups.written(code)]
      const origin = originOf(call, publicUrl)
      if (group !== undefined) return groupHead(group, site(), origin)
      return market && marketHead(market, site(), origin)
    },
  }
}

function shareHandlers(options: ShareOptions): Binding[] {
  const { exchange, ranks, site, access, publicUrl, pictures, fallback } = options
  return [
    handle(pageRoutes.marketPicture, async ({ c, params }) => {
      const market = marketAt(exchange, params.code)
      const drawn = await pictures?.picture(contentOf(market, site(), exchange))
      const png = drawn ?? fallback
      if (png === undefined) throw new ApiError(503, REFUSED.tooBusy, 'busy')
      c.header('Content-Type', 'image/png')
      c.header(
        'Cache-Control',
        drawn === undefined ? 'no-store' : `${cachesFor(access)}, max-age=${PICTURE_SECONDS}`,
      )
      return c.body(png)
    }),
    handle(pageRoutes.feed, call => {
      const text = feedText({ exchange, ranks }, site(), originOf(call, publicUrl), exchange.now())
      return deliver(call, 200, text, {
        'Content-Type': FEED_TYPE,
        'Cache-Control': `${cachesFor(access)}, max-age=${FEED_SECONDS}`,
      })
    }),
  ]
}

function originOf({ c }: Call, publicUrl: string | undefined): string {
  return publicUrl ?? new URL(c.req.url).origin
}

function marketAt(exchange: Exchange, code: string): DeskMarket {
  const market = exchange.marketWritten(code)
  if (market === undefined) throw new ApiError(404, REFUSED.eventNotFound, 'event_not_found')
  return market
}

function contentOf(market: DeskMarket, site: ShareSite, exchange: Exchange): PictureContent {
  const { headline, label, detail, outcome, chance } = summaryOf(market, site)
  const { payout } = market.terms
  const isYes = outcome === undefined ? (chance ?? 0) >= 0.5 : outcome === 'yes'
  return {
    site: site.name,
    color: site.color,
    title: market.listing.title,
    headline,
    label,
    detail,
    tone:
      outcome === 'void' || (outcome === undefined && chance === undefined) ? 'plain' : isYes ? 'yes' : 'no',
    trend: market.day.prices(exchange.now()).map(price => Math.round((price / payout) * 100) / 100),
  }
}
