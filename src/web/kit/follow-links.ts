import { goTo } from './address.js'

/** Handles clicks on links within this bundle; leaves all others to the browser. */
export function followLinks(isOurs: RegExp): void {
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
