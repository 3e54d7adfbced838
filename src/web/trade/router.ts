import { computed } from '@preact/signals'
import { followLinks, path } from '../kit/address.js'

const TABS = ['positions', 'orders', 'history', 'statement'] as const

/** The tabs of the portfolio, below its worth. */
export type PortfolioTab = (typeof TABS)[number]

/** The page that an address names. */
export type Route =
  | { readonly page: 'markets' }
  | { readonly page: 'market' | 'group'; readonly code: string }
  | { readonly page: 'portfolio'; readonly tab: PortfolioTab }
  | { readonly page: 'people'; readonly userid: string | undefined }
  | { readonly page: 'missing' }

export const route = computed<Route>(() => {
  const [, kind, code] = /^\/(market|group)\/(\d{7})$/.exec(path.value) ?? []
  if (code !== undefined) return { page: kind === 'group' ? 'group' : 'market', code }
  const [, tab] = /^\/portfolio(?:\/(\w+))?$/.exec(path.value) ?? []
  if (path.value === '/portfolio') return { page: 'portfolio', tab: 'positions' }
  const named = TABS.find(name => name === tab && name !== 'positions')
  if (named !== undefined) return { page: 'portfolio', tab: named }
  const [people, userid] = /^\/people(?:\/([^/]+))?$/.exec(path.value) ?? []
  if (people !== undefined) return { page: 'people', userid: userid && nameIn(userid) }
  return { page: path.value === '/' ? 'markets' : 'missing' }
})

/** Follows links between the trading pages. */
export function startRouter(): void {
  followLinks(
    /^\/(?:(?:market|group)\/\d{7}|portfolio(?:\/(?:orders|history|statement))?|people(?:\/[^/]+)?)?$/,
  )
}

/** Returns a name as it was before it became part of an address. */
function nameIn(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
