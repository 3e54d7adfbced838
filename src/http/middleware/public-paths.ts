import { pathOf } from '../path-of.js'

/** The icons, logo and manifest of the site, and pictures of events: browsers ask without a token. */
export const PICTURE_PATHS =
  String.raw`favicon\.ico|apple-touch-icon\.png|icon\.svg|icon-\d+\.png|logo|manifest\.webmanifest|` +
  'pictures/[^/?]*'
/** Health, version, documents and pictures. */
const ALWAYS_OPEN = new RegExp(
  String.raw`^/(?:healthz|readyz|version|(?:openapi|asyncapi)\.json|docs(?:/.*)?|assets/.*|` +
    `${PICTURE_PATHS})$`,
)
/**
 * Pages, which are HTML without data; sign-in; sockets, which may authenticate later. What programs find at
 * the same addresses checks its callers itself.
 */
const TOKENLESS = new RegExp(
  String.raw`^/(?:|ws|auth/.*|(?:market|embed)/\d{7}|portfolio|people(?:/[^/]*)?|admin(?:/.*)?|` +
    'sign-in|sign-up|recover|account)$',
)
/** Tabs of a page; the same addresses with one more part are those of a user. */
const TABS = /^\/portfolio\/(?:orders|history|statement)$/
const MARKET_DATA = /^\/(?:events(?:\/.*)?|leaderboard|profiles\/.*|share\/.*|feed\.xml|time)$/

/** Returns whether an address is served without looking at credentials first. */
export function isAlwaysOpen(url: string): boolean {
  return ALWAYS_OPEN.test(pathOf(url))
}

/** Returns whether an address is served without credentials in every mode. */
export function isTokenless(url: string): boolean {
  return TOKENLESS.test(pathOf(url)) || TABS.test(pathOf(url))
}

/** Returns whether a request reads market data. */
export function isMarketData(method: string, url: string): boolean {
  return (method === 'GET' || method === 'HEAD') && MARKET_DATA.test(pathOf(url))
}
