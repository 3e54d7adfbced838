import type { ComponentChildren } from 'preact'
import { Brand } from '../kit/brand.jsx'
import { rupeesText } from '../kit/number-texts.js'
import { ThemeButton } from '../kit/theme-button.jsx'
import { usableMoney } from './account.js'
import { connectionState } from './exchange-client.js'
import { exchangeFacts } from './exchange-facts.js'
import { route } from './router.js'
import { userId } from './session.js'
import { UserMenu } from './user-menu.jsx'
import { watching } from './watching.js'

/** The header and footer of every trading page. */
export function SiteFrame({ children }: { readonly children: ComponentChildren }) {
  return (
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <SiteHeader />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <footer class="site-footer">
        {exchangeFacts.value.isDemo && 'This is a demo with made-up markets traded by bots. '}
        Play money only: no real deposits or withdrawals. Prices are not advice.{' '}
        <a href="/docs/guides">Guides</a> · Developers: <a href="/docs">API docs</a>
      </footer>
    </>
  )
}

function SiteHeader() {
  const { page } = route.value
  return (
    <header class="site-header">
      <div class="site-bar">
        <Brand href="/" />
        {exchangeFacts.value.isDemo && <span class="tag">demo</span>}
        <nav class="site-nav" aria-label="Pages">
          <a href="/" aria-current={page === 'markets' ? 'page' : undefined}>
            Markets
          </a>
          <a href="/portfolio" aria-current={page === 'portfolio' ? 'page' : undefined}>
            Portfolio
          </a>
        </nav>
        <ConnectionBadge />
        <Balance />
        <UserMenu />
        <ThemeButton />
      </div>
    </header>
  )
}

const BADGE_WORDS = { live: 'Live', catching_up: 'Catching up', offline: 'Offline' } as const

/** Shows whether the page’s data is live. */
function ConnectionBadge() {
  const { state } = connectionState.value
  if (watching.value === 0) return <p class="badge badge-none" />
  return (
    <p class={`badge badge-${state}`} role="status">
      <span>{BADGE_WORDS[state]}</span>
    </p>
  )
}

function Balance() {
  if (userId.value === undefined) return null
  const money = usableMoney.value
  return (
    <p class="purse">
      {money === undefined ? '–' : rupeesText(money)}
      <small>available balance</small>
    </p>
  )
}
