import { siteLogo, siteName } from './page-site.js'

/** The logo, linked to the bundle’s first page. */
export function Brand({ href }: { readonly href: string }) {
  return (
    <a class="brand" href={href}>
      <Logo />
      <span>{siteName}</span>
    </a>
  )
}

function Logo() {
  if (siteLogo === '/logo') return <img class="mark" src={siteLogo} alt="" />
  if (siteLogo !== '/icon.svg') {
    return (
      <b class="mark" aria-hidden="true">
        {siteLogo}
      </b>
    )
  }
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M8 21l6-7 4 4 6-8" />
    </svg>
  )
}
