import { computed } from '@preact/signals'
import { followLinks, path } from '../kit/address.js'

/** The page that an address names. */
export type Route =
  | { readonly page: 'markets' }
  | { readonly page: 'market'; readonly code: string }
  | { readonly page: 'portfolio' }
  | { readonly page: 'people'; readonly userid: string | undefined }
  | { readonly page: 'missing' }

export const route = computed<Route>(() => {
  const [, code] = /^\/market\/(\d{7})$/.exec(path.value) ?? []
  if (code !== undefined) return { page: 'market', code }
  if (path.value === '/portfolio') return { page: 'portfolio' }
  const [people, userid] = /^\/people(?:\/([^/]+))?$/.exec(path.value) ?? []
  if (people !== undefined) return { page: 'people', userid: userid && nameIn(userid) }
  return { page: path.value === '/' ? 'markets' : 'missing' }
})

/** Follows links between the trading pages. */
export function startRouter(): void {
  followLinks(/^\/(?:market\/\d{7}|portfolio|people(?:\/[^/]+)?)?$/)
}

/** Returns a name as it was before it became part of an address. */
function nameIn(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
