import { pageRoutes } from '../../api/site/page-routes.js'
import type { Access } from '../../access/access.js'
import type { AuditLog } from '../../access/accounts/audit-log.js'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { imageSchema } from '../../api/events/event-image-schema.js'
import { LIMITS } from '../../api/limits.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { validate } from '../../api/validation.js'
import type { MarketCode } from '../../core/units.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { DeskMarket } from '../../exchange/markets/desk-market.js'
import type { PictureRefusal } from '../../site/pictures/picture-size.js'
import { UploadMaker } from '../../site/pictures/upload-maker.js'
import type { SiteStore } from '../../site/site-store.js'
import { readJson } from '../middleware/body.js'
import { cachesFor } from '../middleware/caches-for.js'
import { success } from '../middleware/envelope.js'
import { shownEvent } from '../routes/event-list.js'
import { marketOf } from '../../doors/market-of.js'
import { unlessRefused } from './site-writes.js'
import { byOf } from '../routing/needs.js'
import { handle } from '../routing/handle.js'
import type { Binding, Call } from '../routing/handle.js'
import { siteRoutes } from '../../api/site/site-routes.js'

const YEAR_SECONDS = 31_536_000
/** A picture is nothing but a picture, whatever its bytes say; its name changes with its contents. */
const PICTURE_HEADERS = {
  'Content-Type': 'image/webp',
  'Content-Security-Policy': "default-src 'none'; sandbox",
}
const PICTURE_REFUSED: Readonly<Record<PictureRefusal, readonly [code: 422 | 503, message: string]>> = {
  kind_unknown: [422, REFUSED.pictureKind],
  too_many_pixels: [422, REFUSED.picturePixels],
  picture_damaged: [422, REFUSED.pictureDamaged],
  pictures_busy: [503, REFUSED.picturesBusy],
}

interface ImageRooms {
  readonly exchange: Exchange
  readonly site: SiteStore
  readonly audit: AuditLog
}

/** Lets operators give events pictures and emoji; each change has a line in the audit log. */
export function eventImageHandlers({ exchange, site, audit }: ImageRooms): Binding[] {
  const maker = new UploadMaker()
  const log = (call: Call, kind: 'image_set' | 'image_removed', { terms, image }: DeskMarket) => {
    const { who, address } = byOf(call)
    const shownAs = image === undefined ? '' : `: ${image}`
    audit.write(kind, { name: '', by: who, address, detail: `event ${terms.code}${shownAs}` })
  }
  for (const [code, image] of site.images.all()) {
    const market = exchange.directory.inMemory(code)
    if (market !== undefined) market.image = image
  }
  const imageOf = (code: MarketCode) => {
    try {
      return site.images.of(code)
    } catch {
      // No order depends on the site's file: an event that is read from the tables does not, either.
      return undefined
    }
  }
  exchange.directory.preparing.push(market => {
    market.image = imageOf(market.terms.code)
  })
  return [
    handle(siteRoutes.setEventImage, async call => {
      const { code } = marketOf(exchange, call.params.code).terms
      const { emoji, picture = '' } = validate(imageSchema, await readJson(call, LIMITS.pictureBodyBytesMax))
      const made = emoji === undefined ? await madeOf(maker, picture) : undefined
      const put =
        made === undefined ? site.images.putEmoji(code, emoji ?? '') : site.images.putPicture(code, made)
      const { image } = unlessRefused(put)
      // Memory may have forgotten it while its picture was made.
      const market = marketOf(exchange, call.params.code)
      market.image = image
      log(call, 'image_set', market)
      return shown(call, exchange, market)
    }),
    handle(siteRoutes.removeEventImage, call => {
      const market = marketOf(exchange, call.params.code)
      if (market.image === undefined) return shown(call, exchange, market)
      site.images.remove(market.terms.code)
      log(call, 'image_removed', market)
      market.image = undefined
      return shown(call, exchange, market)
    }),
  ]
}

/** Serves the pictures of events to those who may see the events. */
export function pictureHandler(site: SiteStore, access: Pick<Access, 'publicReads'>): Binding {
  return handle(pageRoutes.picture, ({ c, params }) => {
    const name = /^([0-9a-f]{32})\.webp$/.exec(params.name)?.[1]
    const bytes = name === undefined ? undefined : site.images.picture(name)
    const caching = `${cachesFor(access)}, max-age=${YEAR_SECONDS}, immutable`
    return bytes && c.body(new Uint8Array(bytes), 200, { ...PICTURE_HEADERS, 'Cache-Control': caching })
  })
}

/** Makes a picture of an upload; throws 422 or 503. */
async function madeOf(maker: UploadMaker, picture: string): Promise<Uint8Array> {
  const made = await maker.make(Buffer.from(picture, 'base64'))
  if (typeof made !== 'string') return made
  const [code, message] = PICTURE_REFUSED[made]
  throw new ApiError(code, message)
}

function shown(call: Call, exchange: Exchange, market: DeskMarket): Response | Promise<Response> {
  return success(call, 200, DONE.eventEdited, shownEvent(exchange, market)) as Response
}
