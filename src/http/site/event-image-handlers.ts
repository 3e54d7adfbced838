import type { Context, MiddlewareHandler } from 'hono'
import { Hono } from 'hono'
import type { AuditLog } from '../../access/accounts/audit-log.js'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { imageSchema } from '../../api/events/event-image-schema.js'
import { LIMITS } from '../../api/limits.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { validate } from '../../api/validation.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { DeskMarket } from '../../exchange/markets/desk-market.js'
import type { PictureRefusal } from '../../site/pictures/picture-size.js'
import { UploadMaker } from '../../site/pictures/upload-maker.js'
import type { SiteStore } from '../../site/site-store.js'
import { readJson } from '../middleware/body.js'
import { success } from '../middleware/envelope.js'
import type { OperatorGuards } from '../middleware/operator-guard.js'
import { byOf } from '../middleware/operator-guard.js'
import { shownEvent } from '../routes/event-list.js'
import { marketOf } from '../routes/event-handlers.js'
import { unlessRefused } from './site-writes.js'

const YEAR_SECONDS = 31_536_000
/** A picture is nothing but a picture, whatever its bytes say; its name changes with its contents. */
const PICTURE_HEADERS = {
  'Content-Type': 'image/webp',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable`,
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
  readonly guards: OperatorGuards
}

/** Lets operators give events pictures and emoji; each change has a line in the audit log. */
export function eventImageRoutes({ exchange, site, audit, guards }: ImageRooms): Hono {
  const maker = new UploadMaker()
  const log = (c: Context, kind: 'image_set' | 'image_removed', { terms, image }: DeskMarket) => {
    const { who, address } = byOf(c)
    const shownAs = image === undefined ? '' : `: ${image}`
    audit.write(kind, { name: '', by: who, address, detail: `event ${terms.code}${shownAs}` })
  }
  for (const [code, image] of site.images.all()) {
    const market = exchange.market(code)
    if (market !== undefined) market.image = image
  }
  return new Hono()
    .put('/:code/image', guards.operate, async c => {
      const market = marketOf(exchange, c.req.param('code'))
      const { emoji, picture = '' } = validate(imageSchema, await readJson(c, LIMITS.pictureBodyBytesMax))
      const made = emoji === undefined ? await madeOf(maker, picture) : undefined
      const { code } = market.terms
      const put =
        made === undefined ? site.images.putEmoji(code, emoji ?? '') : site.images.putPicture(code, made)
      market.image = unlessRefused(put).image
      log(c, 'image_set', market)
      return shown(c, exchange, market)
    })
    .delete('/:code/image', guards.operate, c => {
      const market = marketOf(exchange, c.req.param('code'))
      if (market.image === undefined) return shown(c, exchange, market)
      site.images.remove(market.terms.code)
      log(c, 'image_removed', market)
      market.image = undefined
      return shown(c, exchange, market)
    })
}

/** Serves the pictures of events to everybody, like icons: they are no part of the API. */
export function servePictures(site: SiteStore): MiddlewareHandler {
  return async (c, next) => {
    const name = /^([0-9a-f]{32})\.webp$/.exec(c.req.param('name') ?? '')?.[1]
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    const bytes = name === undefined || !isRead ? undefined : site.images.picture(name)
    return bytes === undefined ? next() : c.body(new Uint8Array(bytes), 200, PICTURE_HEADERS)
  }
}

/** Makes a picture of an upload; throws 422 or 503. */
async function madeOf(maker: UploadMaker, picture: string): Promise<Uint8Array> {
  const made = await maker.make(Buffer.from(picture, 'base64'))
  if (typeof made !== 'string') return made
  const [code, message] = PICTURE_REFUSED[made]
  throw new ApiError(code, message)
}

function shown(c: Context, exchange: Exchange, market: DeskMarket): Response | Promise<Response> {
  return success(c, 200, DONE.eventEdited, shownEvent(exchange, market)) as Response
}
