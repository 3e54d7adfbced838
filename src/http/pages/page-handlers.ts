import type { Context, MiddlewareHandler } from 'hono'
import { Hono } from 'hono'
import { assert } from '../../core/assert.js'
import { encodingIn, qualityOf } from '../middleware/accepted.js'
import { failure, outboxFull } from '../middleware/envelope.js'
import { hasRoom } from '../middleware/outbox.js'
import { iconRoutes } from './icon-handlers.js'
import type { PageFile, PageFiles } from './page-files.js'
import type { PageHead } from './page-head.js'
import { SiteDocuments } from './site-documents.js'
import type { SiteFacts } from './site-facts.js'

const YEAR_SECONDS = 31_536_000
/** Matches a host and port that cannot break out of the directive in which they are inserted. */
const HOST = /^[\w.-]+(?::\d{1,5})?$|^\[[\da-f:]+\](?::\d{1,5})?$/i
/** Pages are always revalidated, assets never: their names change with their contents. */
const CACHING = { page: 'no-cache', asset: `public, max-age=${YEAR_SECONDS}, immutable` } as const

/** Scripts, styles and fonts; pages and pictures have addresses of their own. */
const IS_ASSET = /^(?:text\/(?:javascript|css)|font\/)/

/** The pages for people with a browser. */
export interface Pages {
  readonly routes: Hono
  /** Returns the page for an unknown address, if a browser asks for it. */
  readonly missing: (c: Context) => Response | undefined
}

/** A name that changes with its contents. */
const HAS_HASH = /-[A-Z0-9]{8}\.[a-z0-9]+$/

/** Returns the head of the page of an event, if it has one of its own. */
export type HeadOf = (code: string) => PageHead | undefined

/** Paths of the trading page; it shows what the address names. */
const TRADE_PATHS = [
  '/',
  '/market/:code{[0-9]{7}}',
  '/portfolio',
  '/people',
  '/people/:userid',
  '/portfolio/:tab{orders|history|statement}',
]
/**
 * Paths of the operator's page. It is served to everybody, since it contains no data: it requests everything
 * that it shows, from behind the admin guard.
 */
const ADMIN_PATHS = [
  '',
  '/new',
  '/bulk',
  '/event/:code{[0-9]{7}}',
  '/users',
  '/user/:userid',
  '/comments',
  '/health',
  '/actions',
  '/accounts',
  '/audit',
].map(path => `/admin${path}`)
/** Paths of the account page. */
const ACCOUNT_PATHS = ['/sign-in', '/sign-up', '/recover', '/account']

/**
 * Serves the pages for people with a browser. Requests that do not accept HTML fall through, so that programs
 * find the same answers as always at these addresses.
 *
 * @param site the name and the look of the site, which a reload may change
 * @param headOf the heads of the pages of events
 */
export function openPages(
  { documents, assets }: PageFiles,
  site: () => SiteFacts,
  headOf: HeadOf = () => undefined,
): Pages {
  const made = new SiteDocuments(documents, site)
  return { routes: pageRoutes(made, assets, site, headOf), missing: missingPage(made) }
}

/** The page for an address that has none: the trading page shows ways back. Undefined for programs. */
function missingPage(made: SiteDocuments): Pages['missing'] {
  return c => {
    const isForPerson = c.req.method === 'GET' && acceptsHtml(c.req.header('accept'))
    const file = isForPerson ? made.find('trade.html') : undefined
    if (file === undefined) return undefined
    c.header('Vary', 'Accept')
    return document(c, file, 404)
  }
}

function pageRoutes(
  made: SiteDocuments,
  files: PageFiles['assets'],
  site: () => SiteFacts,
  headOf: HeadOf,
): Hono {
  const routes = new Hono()
  for (const path of TRADE_PATHS) routes.get(path, page(made, 'trade.html', headOf))
  for (const path of ADMIN_PATHS) routes.get(path, page(made, 'admin.html'))
  for (const path of ACCOUNT_PATHS) routes.get(path, page(made, 'account.html'))
  return routes
    .get('/embed/:code{[0-9]{7}}', card(made))
    .route('/', iconRoutes(site))
    .get('/assets/:name', async (c, next) => {
      const file = files.get(c.req.param('name'))
      if (file === undefined || !IS_ASSET.test(file.type)) return next()
      return answer(c, file, HAS_HASH.test(c.req.param('name')) ? CACHING.asset : CACHING.page)
    })
    .get(
      '/docs/guides',
      guide(made, () => 'guides.html'),
    )
    .get(
      '/docs/guides/:name',
      guide(made, c => `guide-${c.req.param('name')}.html`),
    )
    .get('/docs/guides/pictures/:name', async (c, next) => {
      const file = files.get(c.req.param('name'))
      if (file?.type !== 'image/png') return next()
      return answer(c, file, CACHING.page)
    })
}

function page(made: SiteDocuments, name: string, headOf: HeadOf = () => undefined): MiddlewareHandler {
  assert(made.find(name) !== undefined, `a build has ${name}`)
  return async (c, next) => {
    if (!acceptsHtml(c.req.header('accept'))) {
      c.header('Vary', 'Accept')
      return next()
    }
    c.header('Vary', 'Accept')
    const file = made.find(name, headOf(c.req.param('code') ?? ''))
    return file === undefined ? next() : document(c, file)
  }
}

/** Serves the card of an event, which alone may be framed by pages of other sites. */
function card(made: SiteDocuments): MiddlewareHandler {
  return async (c, next) => {
    const file = made.find('embed.html')
    if (file === undefined) return next()
    c.header('Content-Security-Policy', policyFor(c.req.header('host'), '*'))
    return answer(c, file, CACHING.page)
  }
}

/** Serves a guide, also to programs: nothing else shares its address. */
function guide(made: SiteDocuments, nameOf: (c: Context) => string): MiddlewareHandler {
  return async (c, next) => {
    const file = made.find(nameOf(c))
    return file === undefined ? next() : document(c, file)
  }
}

function document(c: Context, file: PageFile, code: 200 | 404 = 200): Response {
  c.header('Content-Security-Policy', policyFor(c.req.header('host')))
  return answer(c, file, CACHING.page, code)
}

function answer(c: Context, file: PageFile, caching: string, code: 200 | 404 = 200): Response {
  const encoding = encodingIn(c.req.header('accept-encoding'))
  const encoded = encoding && file[encoding]
  const body = encoded ?? file.plain
  const isKnown = code === 200 && holds(c.req.header('if-none-match'), body.etag)
  if (!isKnown && !hasRoom(c, body.bytes.length)) return failure(c, outboxFull())
  c.header('Cache-Control', caching)
  c.header('ETag', body.etag)
  c.header('Vary', 'Accept-Encoding', { append: true })
  if (isKnown) return c.body(null, 304)
  c.header('Content-Type', file.type)
  if (encoded !== undefined) c.header('Content-Encoding', encoding)
  return c.body(body.bytes, code)
}

/**
 * Returns a policy that allows only this server's own content, on its own pages: nothing inline, nothing from
 * elsewhere.
 *
 * @param framers the sites that may show the page in a frame
 */
function policyFor(host = '', framers = "'none'"): string {
  // Older browsers do not count a WebSocket to the same host as 'self'.
  const sockets = HOST.test(host) ? ` ws://${host} wss://${host}` : ''
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    `connect-src 'self'${sockets}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${framers}`,
  ].join('; ')
}

/** Tells whether HTML is accepted by name, as browsers do; the wildcards of programs do not count. */
function acceptsHtml(accept = ''): boolean {
  return qualityOf(accept, 'text/html') > 0
}

function holds(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
}
