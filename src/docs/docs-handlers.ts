import type { Context } from 'hono'
import { serviceRoutes } from '../api/service/service-routes.js'
import { pageRoutes } from '../api/site/page-routes.js'
import { deliver } from '../http/middleware/envelope.js'
import type { Binding, Call } from '../http/routing/handle.js'
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
 * Serves both documents, and the pages that show them.
 *
 * @param look the name and the look of the site, which the pages have as well
 */
export function docsHandlers(
  version: string,
  documents: () => Promise<KeptDocuments> = keptDocuments(version),
  look: () => SiteFacts = () => RAAY,
): Binding[] {
  const [style, script] = [new KeptText(pageStyle), new KeptText(pageScript)]
  const pages = new TextShelf<SiteFacts>()
  const html = { ...HEADERS, ...PAGE_HEADERS, 'Content-Type': 'text/html; charset=utf-8' }
  const json = { ...HEADERS, 'Content-Type': 'application/json; charset=utf-8' }
  const shown = async (call: Call, name: string) => {
    const page = (await documents()).pages.get(name)
    if (page === undefined) return undefined
    const [base, site] = [baseOf(call.c), look()]
    const key = `${base} ${name}`
    const known = pages.find(key)
    const isCurrent = known?.version === site
    const kept = isCurrent
      ? known.kept
      : pages.keep(key, site, withSite(page.replaceAll(PLACEHOLDER, base), site))
    return deliver(call, 200, kept, html)
  }
  return [
    handle(serviceRoutes.getOpenApi, async call => deliver(call, 200, (await documents()).openApi, json)),
    handle(serviceRoutes.getAsyncApi, async call => deliver(call, 200, (await documents()).asyncApi, json)),
    handle(serviceRoutes.getDocsStyle, call =>
      deliver(call, 200, style, { ...HEADERS, 'Content-Type': 'text/css; charset=utf-8' }),
    ),
    handle(serviceRoutes.getDocsScript, call =>
      deliver(call, 200, script, { ...HEADERS, 'Content-Type': 'text/javascript; charset=utf-8' }),
    ),
    handle(serviceRoutes.getDocs, call => shown(call, '')),
    handle(pageRoutes.docsPart, call => shown(call, call.params.name)),
  ]
}

/** Returns the address at which the reader found the page, so that commands to copy lead there. */
function baseOf(c: Context): string {
  const { origin } = new URL(c.req.url)
  return PLAIN_BASE.test(origin) ? origin : BASE_DEFAULT
}
