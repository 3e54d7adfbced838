import type { Context } from 'hono'
import type { RouteFacts } from '../../api/route.js'
import { pageRoutes } from '../../api/site/page-routes.js'
import { assert } from '../../core/assert.js'
import { acceptsHtml, encodingIn } from '../middleware/accepted.js'
import { failure, outboxFull } from '../middleware/envelope.js'
import { hasRoom } from '../middleware/outbox.js'
import type { Binding, Call } from '../routing/handle.js'
import { handle } from '../routing/handle.js'
import { iconHandlers } from './icon-handlers.js'
import type { PageFile, PageFiles } from './page-files.js'
import type { PageHead } from './page-head.js'
import { SiteDocuments } from './site-documents.js'
import type { SiteFacts } from './site-facts.js'

const YEAR_SECONDS = 31_536_000
/** Matches a host and port that cannot break out of the directive in which they are inserted. */
const HOST = /^[\w.-]+(?::\d{1,5})?$|^\[[\da-f:]+\](?::\d{1,5})?$/i
/** Pages are always revalidated, assets never: their names change with their contents. */
const CACHING = { page: 'no-cache', asset: `public, max-age=${YEAR_SECONDS}, immutable` } as const

/** Scripts, styles, fonts and texts to search; pages and pictures have addresses of their own. */
const IS_ASSET = /^(?:text\/(?:javascript|css)|font\/|application\/json)/

/** The pages for people with a browser. */
export interface Pages {
  readonly handlers: readonly Binding[]
  /** Returns the page for an unknown address, if a browser asks for it. */
  readonly missing: (c: Context) => Response | undefined
}

/** A name that changes with its contents. */
const HAS_HASH = /-[A-Z0-9]{8}\.[a-z0-9]+$/

/** Returns the head of the page of an event, if it has one of its own. */
export type HeadOf = (code: string, call: Call) => PageHead | undefined

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
  return { handlers: pageHandlers(made, assets, site, headOf), missing: missingPage(made) }
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

function pageHandlers(
  made: SiteDocuments,
  files: PageFiles['assets'],
  site: () => SiteFacts,
  headOf: HeadOf,
): Binding[] {
  return [
    ...pageRoutes.trade.map(route => page(route, made, 'trade.html', headOf)),
    ...pageRoutes.admin.map(route => page(route, made, 'admin.html')),
    ...pageRoutes.account.map(route => page(route, made, 'account.html')),
    handle(pageRoutes.card, ({ c }) => card(c, made)),
    ...iconHandlers(site),
    handle(pageRoutes.asset, ({ c, params: { name } }) => {
      const file = files.get(name)
      if (file === undefined || !IS_ASSET.test(file.type)) return undefined
      return answer(c, file, HAS_HASH.test(name) ? CACHING.asset : CACHING.page)
    }),
    handle(pageRoutes.guides, ({ c }) => guide(c, made, 'guides.html')),
    handle(pageRoutes.guide, ({ c, params }) => guide(c, made, `guide-${params.name}.html`)),
    handle(pageRoutes.guidePicture, ({ c, params }) => {
      const file = files.get(params.name)
      return file?.type === 'image/png' ? answer(c, file, CACHING.page) : undefined
    }),
  ]
}

/** Serves a page to those who accept HTML; others find something else at its address. */
function page(
  route: RouteFacts,
  made: SiteDocuments,
  name: string,
  headOf: HeadOf = () => undefined,
): Binding {
  assert(made.has(name), `a build has ${name}`)
  return handle(route, (call: Call) => {
    const { c, params } = call
    c.header('Vary', 'Accept')
    const file = made.find(name, headOf(params.code ?? '', call))
    return file && document(c, file)
  })
}

/** Serves the card of an event, which alone may be framed by pages of other sites. */
function card(c: Context, made: SiteDocuments): Response | undefined {
  const file = made.find('embed.html')
  if (file === undefined) return undefined
  c.header('Content-Security-Policy', policyFor(c.req.header('host'), '*'))
  return answer(c, file, CACHING.page)
}

/** Serves a guide, also to programs: nothing else shares its address. */
function guide(c: Context, made: SiteDocuments, name: string): Response | undefined {
  const file = made.find(name)
  return file && document(c, file)
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

function holds(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
}
