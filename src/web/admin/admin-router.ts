import { computed, signal } from '@preact/signals'

/** What the address asks for. */
export type AdminRoute =
  | { readonly page: 'events' | 'new' | 'users' | 'health' | 'actions' }
  | { readonly page: 'event'; readonly code: string }

const PAGES = ['new', 'users', 'health', 'actions'] as const
const OURS = /^\/admin(?:\/(?:new|users|health|actions|event\/\d{7}))?$/

const path = signal(location.pathname)

export const adminRoute = computed<AdminRoute>(() => {
  const [, code] = /^\/admin\/event\/(\d{7})$/.exec(path.value) ?? []
  if (code !== undefined) return { page: 'event', code }
  return { page: PAGES.find(page => path.value === `/admin/${page}`) ?? 'events' }
})

/** Goes to another of the operator's pages, without loading it. */
export function goToAdmin(address: string): void {
  history.pushState(null, '', address)
  path.value = location.pathname
  scrollTo(0, 0)
}

/** Follows links between these pages here; what opens elsewhere is left to the browser. */
export function startAdminRouter(): void {
  addEventListener('popstate', () => {
    path.value = location.pathname
  })
  document.addEventListener('click', event => {
    const link = (event.target as Element | null)?.closest('a')
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!isPlain || event.defaultPrevented || link === null || link === undefined) return
    if (link.origin !== location.origin || link.target !== '' || link.hash !== '') return
    if (!OURS.test(link.pathname)) return
    event.preventDefault()
    goToAdmin(link.pathname)
  })
}
