import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { PageFile } from './page-files.js'
import { bodyOf } from './page-files.js'
import type { PageHead } from './page-head.js'
import { withHead } from './page-head.js'
import { siteColors } from './site-colors.js'
import type { SiteFacts } from './site-facts.js'
import { logoAddress } from './site-facts.js'

/** Makes a page small enough at a hundredth of what the best compression takes. */
const BROTLI_QUALITY = 6
const HTML = 'text/html; charset=utf-8'

/** The most pages that are kept; then all are made again. */
const PAGES_MAX = 500

/** The HTML of the pages with the name and the look of this site, made when first asked for. */
export class SiteDocuments {
  readonly #texts: ReadonlyMap<string, string>
  readonly #site: () => SiteFacts
  readonly #made = new Map<string, PageFile>()
  #madeFor: SiteFacts | undefined

  /** @param texts the built HTML by file name, with its placeholders */
  constructor(texts: ReadonlyMap<string, string>, site: () => SiteFacts) {
    this.#texts = texts
    this.#site = site
  }

  /** Returns whether a page was built under this name. */
  has(name: string): boolean {
    return this.#texts.has(name)
  }

  /** Returns a page, perhaps with a head of its own; undefined if none was built under this name. */
  find(name: string, head?: PageHead): PageFile | undefined {
    const site = this.#site()
    if (site !== this.#madeFor || this.#made.size >= PAGES_MAX) this.#made.clear()
    this.#madeFor = site
    const key = head === undefined ? name : `${name} ${head.title} ${head.description} ${head.elements}`
    const known = this.#made.get(key)
    const text = this.#texts.get(name)
    if (known !== undefined || text === undefined) return known
    const filled = withSite(text, site)
    const file = compressed(head === undefined ? filled : withHead(filled, head))
    this.#made.set(key, file)
    return file
  }
}

/** Fills the name and the look of a site into the HTML of a page. */
export function withSite(text: string, site: SiteFacts): string {
  return (
    text
      // Functions, since a text with `$&` or `$'` would bring in parts of the page.
      .replace(' data-site', () => ` ${attributesOf(site)}`)
      .replaceAll('{{name}}', () => escaped(site.name))
      .replaceAll('{{icon}}', site.logo === undefined || 'emoji' in site.logo ? '/icon.svg' : '/logo')
  )
}

/** Returns the attributes of the root from which the pages' scripts know the site. */
function attributesOf(site: SiteFacts): string {
  const { light, dark, onDark } = siteColors(site.color)
  const attributes = {
    name: site.name,
    colors: `${light} ${dark} ${onDark}`,
    logo: logoAddress(site.logo),
    'time-zone': site.timeZone,
    language: site.language,
    ...(site.isMembersOnly && { reads: 'members' }),
    ...(site.announcement !== undefined && { announcement: JSON.stringify(site.announcement) }),
  }
  return Object.entries(attributes)
    .map(([key, value]) => `data-${key}="${escaped(value)}"`)
    .join(' ')
}

function compressed(text: string): PageFile {
  const bytes = Buffer.from(text)
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
  return {
    type: HTML,
    plain: bodyOf(bytes),
    gzip: bodyOf(gzipSync(bytes)),
    br: bodyOf(brotliCompressSync(bytes, { params })),
  }
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
