import type { Context } from 'hono'
import { serviceRoutes } from '../api/service/service-routes.js'
import { deliver } from '../http/middleware/envelope.js'
import type { Binding } from '../http/routing/handle.js'
import { handle } from '../http/routing/handle.js'
import { KeptText } from '../http/middleware/kept-text.js'
import { withSite } from '../http/pages/site-documents.js'
import type { SiteFacts } from '../http/pages/site-facts.js'
import { RAAY } from '../http/pages/site-facts.js'
import { TextShelf } from '../http/text-shelf.js'
import type { KeptDocuments } from './documents.js'
import { keptDocuments, PLACEHOLDER } from './documents.js'
import { pageScript } from './page/page-script.js'
import { pageStyle } from './page/page-style.js'

const BASE_DEFAULT = 'http://127.0.0.1:3000'
/** Matches a base address that needs no escaping in a page or between the quotes of a shell. */
const PLAIN_BASE = /^https?:\/\/[\w.-]+(?::\d+)?$|^https?:\/\/\[[\da-f:]+\](?::\d+)?$/i

const HEADERS = { 'Cache-Control': 'no-cache' }
const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; " +
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

/**
 * Serves both documents, and a page that shows them.
 *
 * @param look the name and the look of the site, which the page has as well
 */
export function docsHandlers(
  version: string,
  documents: () => Promise<KeptDocuments> = keptDocuments(version),
  look: () => SiteFacts = () => RAAY,
): Binding[] {
  const [style, script] = [new KeptText(pageStyle), new KeptText(pageScript)]
  const pages = new TextShelf<SiteFacts>()
  const json = { ...HEADERS, 'Content-Type': 'application/json; charset=utf-8' }
  return [
    handle(serviceRoutes.getOpenApi, async call => deliver(call, 200, (await documents()).openApi, json)),
    handle(serviceRoutes.getAsyncApi, async call => deliver(call, 200, (await documents()).asyncApi, json)),
    handle(serviceRoutes.getDocsStyle, call =>
      deliver(call, 200, style, { ...HEADERS, 'Content-Type': 'text/css; charset=utf-8' }),
    ),
    handle(serviceRoutes.getDocsScript, call =>
      deliver(call, 200, script, { ...HEADERS, 'Content-Type': 'text/javascript; charset=utf-8' }),
    ),
    handle(serviceRoutes.getDocs, async call => {
      const headers = { ...HEADERS, ...PAGE_HEADERS, 'Content-Type': 'text/html; charset=utf-8' }
      const { page } = await documents()
      const [base, site] = [baseOf(call.c), look()]
      const known = pages.find(base)
      if (known?.version === site) return deliver(call, 200, known.kept, headers)
      const text = withSite(page.replaceAll(PLACEHOLDER, base), site)
      return deliver(call, 200, pages.keep(base, site, text), headers)
    }),
  ]
}

/** Returns the address at which the reader found the page, so that commands to copy lead there. */
function baseOf(c: Context): string {
  const { origin } = new URL(c.req.url)
  return PLAIN_BASE.test(origin) ? origin : BASE_DEFAULT
}
