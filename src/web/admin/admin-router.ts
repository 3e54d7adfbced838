import { computed } from '@preact/signals'
import { path } from '../kit/address.js'
import { followLinks } from '../kit/follow-links.js'

/** The page that an address names. */
export type AdminRoute =
  | { readonly page: 'events' | 'new' | 'users' | 'health' | 'actions' | 'accounts' | 'audit' }
  | { readonly page: 'event'; readonly code: string }

const PAGES = ['new', 'users', 'health', 'actions', 'accounts', 'audit'] as const
const OURS = /^\/admin(?:\/(?:new|users|health|actions|accounts|audit|event\/\d{7}))?$/

export const adminRoute = computed<AdminRoute>(() => {
  const [, code] = /^\/admin\/event\/(\d{7})$/.exec(path.value) ?? []
  if (code !== undefined) return { page: 'event', code }
  return { page: PAGES.find(page => path.value === `/admin/${page}`) ?? 'events' }
})

/** Follows links between the operator pages. */
export function startAdminRouter(): void {
  followLinks(OURS)
}
