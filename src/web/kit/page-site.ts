const { name = 'Raay', logo = '/icon.svg', reads } = document.documentElement.dataset

/** The name of this exchange. */
export const siteName = name

/** An emoji, or the address of a picture; `/icon.svg` is Raay’s mark. */
export const siteLogo = logo

/** True if only members could read this site when the page was made. */
export const isMembersOnly = reads === 'members'

/** Shows the title of a page in the tab, followed by the name of the exchange. */
export function setTitle(...parts: readonly string[]): void {
  document.title = [...parts, siteName].join(' · ')
}
