import type { ComponentChildren } from 'preact'
import { usableMoney } from './account.js'
import { connectionState } from './exchange-client.js'
import { exchangeFacts } from './exchange-facts.js'
import { Icon } from './icons.jsx'
import { askForName } from './name-picker.jsx'
import { rupeesText } from './number-texts.js'
import { route } from './router.js'
import { userId } from './session.js'
import { theme, turnTheme } from './theme.js'
import { watching } from './watching.js'

/** What is around every page. */
export function SiteFrame({ children }: { readonly children: ComponentChildren }) {
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <SiteHeader />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <footer class="site-footer">
        {exchangeFacts.value.isDemo && 'This is a demo: its markets are made up, and bots trade in them. '}
        Play money only: nothing here is paid in or out. Prices are what others offer, and no advice. Programs
        trade here, too: <a href="/docs">the API</a>.
      </footer>
    </>
  )
}

function SiteHeader() {
  const { page } = route.value
  const turn = theme.value === 'dark' ? 'light' : 'dark'
  return (
    <header class="site-header">
      <div class="site-bar">
        <a class="brand" href="/">
          <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="8" />
            <path d="M8 21l6-7 4 4 6-8" />
          </svg>
          <span>Raay</span>
        </a>
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
        <Purse />
        <button type="button" class="button user-button" onClick={askForName}>
          {userId.value === undefined ? (
            'Pick a name'
          ) : (
            <span>
              <span class="unseen">Trading as </span>
              {userId.value}
            </span>
          )}
        </button>
        <button
          type="button"
          class="button button-icon"
          onClick={turnTheme}
          aria-label={`Use ${turn} colours`}
        >
          <Icon shape={theme.value === 'dark' ? 'sun' : 'moon'} />
        </button>
      </div>
    </header>
  )
}

const BADGE_WORDS = { live: 'Live', catching_up: 'Catching up', offline: 'Offline' } as const

/** How far what the page shows can be trusted. */
function ConnectionBadge() {
  const { state } = connectionState.value
  if (watching.value === 0) return <p class="badge badge-none" />
  return (
    <p class={`badge badge-${state}`} role="status">
      <span>{BADGE_WORDS[state]}</span>
    </p>
  )
}

function Purse() {
  if (userId.value === undefined) return null
  const money = usableMoney.value
  return (
    <p class="purse">
      {money === undefined ? '–' : rupeesText(money)}
      <small>play money to use</small>
    </p>
  )
}
