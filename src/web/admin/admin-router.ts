import { computed } from '@preact/signals'
import { followLinks, path } from '../kit/address.js'

/** The page that an address names. */
export type AdminRoute =
  | { readonly page: 'events' | (typeof PAGES)[number] }
  | { readonly page: 'newGroup' }
  | { readonly page: 'event' | 'group'; readonly code: string }
  | { readonly page: 'user'; readonly userid: string }

const PAGES = [
  'new',
  'bulk',
  'groups',
  'fees',
  'seasons',
  'webhooks',
  'users',
  'comments',
  'health',
  'actions',
  'accounts',
  'audit',
] as const
const OURS = new RegExp(`^/admin(?:/(?:${PAGES.join('|')}|groups/(?:new|\\d{7})|event/\\d{7}|user/[^/]+))?$`)

export const adminRoute = computed<AdminRoute>(() => {
  const [, code] = /^\/admin\/event\/(\d{7})$/.exec(path.value) ?? []
  if (code !== undefined) return { page: 'event', code }
  const [, group] = /^\/admin\/groups\/(new|\d{7})$/.exec(path.value) ?? []
  if (group !== undefined) return group === 'new' ? { page: 'newGroup' } : { page: 'group', code: group }
  const userid = userIn(path.value)
  if (userid !== undefined) return { page: 'user', userid }
  return { page: PAGES.find(page => path.value === `/admin/${page}`) ?? 'events' }
})

/** Returns the user that an address names; undefined if it names none, or none that can be read. */
function userIn(address: string): string | undefined {
  const [, name] = /^\/admin\/user\/([^/]+)$/.exec(address) ?? []
  try {
    return name === undefined ? undefined : decodeURIComponent(name)
  } catch {
    return undefined
  }
}

/** Follows links between the operator pages. */
export function startAdminRouter(): void {
  followLinks(OURS)
}
