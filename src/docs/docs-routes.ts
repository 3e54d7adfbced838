import type { Context } from 'hono'
import { Hono } from 'hono'
import type { Answer } from '../http/middleware/envelope.js'
import { deliver } from '../http/middleware/envelope.js'
import { KeptText } from '../http/middleware/kept-text.js'
import { asyncApiDocument } from './asyncapi/asyncapi.js'
import { openApiDocument } from './openapi/openapi.js'
import { docsPage } from './page/page.js'
import { pageScript } from './page/page-script.js'
import { pageStyle } from './page/page-style.js'

const PLACEHOLDER = 'http://exchange.invalid'
const BASE_DEFAULT = 'http://127.0.0.1:3000'
/** Matches a base address that needs no escaping in a page or between the quotes of a shell. */
const PLAIN_BASE = /^https?:\/\/[\w.-]+(?::\d+)?$|^https?:\/\/\[[\da-f:]+\](?::\d+)?$/i

const HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-cache' }
const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
}

/**
 * Serves both documents, and a page that shows them. All are built once, at the start: building takes a tenth
 * of a second, which must not delay an order.
 */
export function docsRoutes(version: string): Hono {
  const openApi = openApiDocument(version)
  const asyncApi = asyncApiDocument(version)
  const page = docsPage(openApi, asyncApi, PLACEHOLDER)
  const json = 'application/json; charset=utf-8'
  return new Hono()
    .get('/openapi.json', fixed(JSON.stringify(openApi), json))
    .get('/asyncapi.json', fixed(JSON.stringify(asyncApi), json))
    .get('/docs/style.css', fixed(pageStyle, 'text/css; charset=utf-8'))
    .get('/docs/copy.js', fixed(pageScript, 'text/javascript; charset=utf-8'))
    .get('/docs', c => {
      const headers = { ...HEADERS, ...PAGE_HEADERS, 'Content-Type': 'text/html; charset=utf-8' }
      return deliver(c, 200, page.replaceAll(PLACEHOLDER, baseOf(c)), headers)
    })
}

function fixed(text: string, type: string): (c: Context) => Answer {
  const kept = new KeptText(text)
  return c => deliver(c, 200, kept, { ...HEADERS, 'Content-Type': type })
}

/** Returns the address at which the reader found the page, so that commands to copy lead there. */
function baseOf(c: Context): string {
  const { origin } = new URL(c.req.url)
  return PLAIN_BASE.test(origin) ? origin : BASE_DEFAULT
}
