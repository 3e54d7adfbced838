import type { Context } from 'hono'
import { Hono } from 'hono'
import type { Answer } from '../http/middleware/envelope.js'
import { deliver } from '../http/middleware/envelope.js'
import { KeptText } from '../http/middleware/kept-text.js'
import { withSite } from '../http/pages/site-documents.js'
import type { SiteFacts } from '../http/pages/site-facts.js'
import { RAAY } from '../http/pages/site-facts.js'
import { asyncApiDocument } from './asyncapi/asyncapi.js'
import { openApiDocument } from './openapi/openapi.js'
import { docsPage } from './page/page.js'
import { pageScript } from './page/page-script.js'
import { pageStyle } from './page/page-style.js'

const PLACEHOLDER = 'http://exchange.invalid'
const BASE_DEFAULT = 'http://127.0.0.1:3000'
/** Matches a base address that needs no escaping in a page or between the quotes of a shell. */
const PLAIN_BASE = /^https?:\/\/[\w.-]+(?::\d+)?$|^https?:\/\/\[[\da-f:]+\](?::\d+)?$/i

const HEADERS = { 'Cache-Control': 'no-cache' }
const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

/** Builds the documents; replaced in tests. */
const BUILDERS = { openApi: openApiDocument, asyncApi: asyncApiDocument }

/**
 * Serves both documents, and a page that shows them. Each is built at its first request, which holds the main
 * thread for 0.1 to 0.3 s; a start does not wait for it.
 *
 * @param look the name and the look of the site, which the page has as well
 */
export function docsRoutes(version: string, builders = BUILDERS, look: () => SiteFacts = () => RAAY): Hono {
  const openApi = once(() => builders.openApi(version))
  const asyncApi = once(() => builders.asyncApi(version))
  const page = once(() => docsPage(openApi(), asyncApi(), PLACEHOLDER))
  const json = 'application/json; charset=utf-8'
  return new Hono()
    .get(
      '/openapi.json',
      fixed(() => JSON.stringify(openApi()), json),
    )
    .get(
      '/asyncapi.json',
      fixed(() => JSON.stringify(asyncApi()), json),
    )
    .get(
      '/docs/style.css',
      fixed(() => pageStyle, 'text/css; charset=utf-8'),
    )
    .get(
      '/docs/copy.js',
      fixed(() => pageScript, 'text/javascript; charset=utf-8'),
    )
    .get('/docs', c => {
      const headers = { ...HEADERS, ...PAGE_HEADERS, 'Content-Type': 'text/html; charset=utf-8' }
      return deliver(c, 200, withSite(page().replaceAll(PLACEHOLDER, baseOf(c)), look()), headers)
    })
}

/** Serves a text that stays the same, made for the first request. */
function fixed(text: () => string, type: string): (c: Context) => Answer {
  const kept = once(() => new KeptText(text()))
  return c => deliver(c, 200, kept(), { ...HEADERS, 'Content-Type': type })
}

/** Returns a function that makes its value at the first call and keeps it. */
function once<Value extends object | string>(make: () => Value): () => Value {
  let value: Value | undefined
  return () => {
    value ??= make()
    return value
  }
}

/** Returns the address at which the reader found the page, so that commands to copy lead there. */
function baseOf(c: Context): string {
  const { origin } = new URL(c.req.url)
  return PLAIN_BASE.test(origin) ? origin : BASE_DEFAULT
}
