import { signal } from '@preact/signals'

/** The current path. */
export const path = signal(location.pathname)

/** Shows another page of the same bundle without loading it. */
export function goTo(address: string): void {
  history.pushState(null, '', address)
  path.value = location.pathname
  scrollTo(0, 0)
}

/** Handles clicks on links within this bundle; leaves all others to the browser. */
export function followLinks(isOurs: RegExp): void {
  addEventListener('popstate', () => {
    path.value = location.pathname
  })
  document.addEventListener('click', event => {
    const link = (event.target as Element | null)?.closest('a')
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!isPlain || event.defaultPrevented || link === null || link === undefined) return
    if (link.origin !== location.origin || link.target !== '' || link.hash !== '') return
    if (!isOurs.test(link.pathname)) return
    event.preventDefault()
    goTo(link.pathname + link.search)
  })
}
