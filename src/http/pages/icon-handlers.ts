import type { Context } from 'hono'
import { pageRoutes } from '../../api/site/page-routes.js'
import type { Binding } from '../routing/handle.js'
import { handle } from '../routing/handle.js'
import { iconSvg, icoOf, markPng } from './mark-picture.js'
import type { Picture, SiteFacts } from './site-facts.js'
import { logoAddress } from './site-facts.js'

const ICO_SIDE = 32
const APPLE_SIDE = 180
const MANIFEST_SIDES = [192, 512] as const
const DAY_SECONDS = 86_400
const GROUND = '#f6f6f3'

/** Serves the icons and the manifest of an app, which other sites may show. */
export function iconHandlers(site: () => SiteFacts): Binding[] {
  const draw = keptDrawings(site)
  const logo = () => pictureOf(site())
  return [
    handle(pageRoutes.icon, ({ c }) => {
      const { color, logo } = site()
      const emoji = logo !== undefined && 'emoji' in logo ? logo.emoji : undefined
      return picture(c, { type: 'image/svg+xml', bytes: new TextEncoder().encode(iconSvg(color, emoji)) })
    }),
    handle(pageRoutes.logo, ({ c }) => {
      const found = logo()
      return found && picture(c, found)
    }),
    handle(pageRoutes.favicon, ({ c }) => picture(c, logo() ?? draw('ico', ICO_SIDE))),
    handle(pageRoutes.appleIcon, ({ c }) => picture(c, logo() ?? draw('square', APPLE_SIDE))),
    handle(pageRoutes.smallIcon, ({ c }) => picture(c, logo() ?? draw('square', MANIFEST_SIDES[0]))),
    handle(pageRoutes.largeIcon, ({ c }) => picture(c, logo() ?? draw('square', MANIFEST_SIDES[1]))),
    handle(pageRoutes.manifest, ({ c }) => {
      c.header('Content-Type', 'application/manifest+json')
      c.header('Cache-Control', 'no-cache')
      return c.body(JSON.stringify(manifestOf(site())))
    }),
  ]
}

function manifestOf({ name, color, logo, language }: SiteFacts) {
  const found = pictureOf({ logo })
  return {
    name,
    short_name: name,
    lang: language === 'hi' ? 'hi-IN' : 'en-IN',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: GROUND,
    theme_color: color,
    icons:
      found === undefined
        ? MANIFEST_SIDES.map(side => ({
            src: `/icon-${side}.png`,
            type: 'image/png',
            sizes: `${side}x${side}`,
          }))
        : [{ src: logoAddress(found), type: found.type, sizes: 'any' }],
  }
}

function pictureOf({ logo }: Pick<SiteFacts, 'logo'>): Picture | undefined {
  return logo === undefined || 'emoji' in logo ? undefined : logo
}

/** Returns a function that draws the mark in the colour of the site, and keeps what it drew. */
function keptDrawings(site: () => SiteFacts): (kind: 'ico' | 'square', side: number) => Picture {
  const kept = new Map<string, Picture>()
  let color = ''
  return (kind, side) => {
    if (site().color !== color) kept.clear()
    color = site().color
    const key = `${kind} ${side}`
    const drawn = kept.get(key) ?? drawing(color, kind, side)
    kept.set(key, drawn)
    return drawn
  }
}

function drawing(color: string, kind: 'ico' | 'square', side: number): Picture {
  if (kind === 'square') return { type: 'image/png', bytes: markPng(color, side, 'square') }
  return { type: 'image/x-icon', bytes: icoOf(markPng(color, side, 'round'), side) }
}

function picture(c: Context, { type, bytes }: Picture): Response {
  c.header('Content-Type', type)
  c.header('Cache-Control', `public, max-age=${DAY_SECONDS}`)
  // An SVG could hold scripts; this one does not, and may not.
  c.header('Content-Security-Policy', "default-src 'none'")
  return c.body(bytes)
}
