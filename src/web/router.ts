import { computed, signal } from '@preact/signals'

/** What the address asks for. */
export type Route =
  | { readonly page: 'markets' }
  | { readonly page: 'market'; readonly code: string }
  | { readonly page: 'portfolio' }

const path = signal(location.pathname)

export const route = computed<Route>(() => {
  const [, code] = /^\/market\/(\d{7})$/.exec(path.value) ?? []
  if (code !== undefined) return { page: 'market', code }
  return path.value === '/portfolio' ? { page: 'portfolio' } : { page: 'markets' }
})

/** Goes to another page of ours, without loading it. */
export function goTo(address: string): void {
  history.pushState(null, '', address)
  path.value = location.pathname
  scrollTo(0, 0)
}

/** Follows links between our pages here; what opens elsewhere is left to the browser. */
export function startRouter(): void {
  addEventListener('popstate', () => {
    path.value = location.pathname
  })
  document.addEventListener('click', event => {
    const link = (event.target as Element | null)?.closest('a')
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!isPlain || event.defaultPrevented || link === null || link === undefined) return
    if (link.origin !== location.origin || link.target !== '' || link.hash !== '') return
    if (!/^\/(?:market\/\d{7}|portfolio)?$/.test(link.pathname)) return
    event.preventDefault()
    goTo(link.pathname + link.search)
  })
}
