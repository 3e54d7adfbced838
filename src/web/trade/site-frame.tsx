import type { ComponentChildren } from 'preact'
import { AnnouncementBar } from '../announcement/announcement-bar.jsx'
import { isShutOut } from '../auth/auth-session.js'
import { Brand } from '../kit/brand.jsx'
import { nowMs } from '../kit/browser-clock.js'
import { Icon } from '../kit/icons.jsx'
import { LanguageSwitch } from '../kit/language-switch.jsx'
import { rupeesText } from '../kit/number-texts.js'
import { ThemeButton } from '../kit/theme-button.jsx'
import { zoneText } from '../kit/time-texts.js'
import { t } from '../texts/frame.js'
import { usableMoney } from './account.js'
import { connectionState } from './exchange-client.js'
import { exchangeFacts } from './exchange-facts.js'
import { Bell } from './notices/bell.jsx'
import { route } from './router.js'
import { userId } from './session.js'
import { UserMenu } from './user-menu.jsx'
import { watching } from './watching.js'
import { HowItWorks } from './welcome.jsx'

/** The header and footer of every trading page. */
export function SiteFrame({ children }: { readonly children: ComponentChildren }) {
  return (
    <>
      <a class="skip" href="#content">
        {t.skip}
      </a>
      <SiteHeader />
      <AnnouncementBar />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <footer class="site-footer">
        <p>
          {exchangeFacts.value.isDemo && `${t.isDemo} `}
          {t.playMoney} {t.timesIn(zoneText(nowMs()))}
        </p>
        {isShutOut.value === false && (
          <p>
            <HowItWorks /> · <a href="/docs/guides">{t.guides}</a> · {t.developers}{' '}
            <a href="/docs">{t.apiDocs}</a> · <a href="/people">{t.leaderboard}</a>
          </p>
        )}
        <LanguageSwitch />
      </footer>
    </>
  )
}

const PAGES = [
  ['markets', '/', t.markets],
  ['portfolio', '/portfolio', t.portfolio],
  ['people', '/people', t.leaderboard],
] as const

function SiteHeader() {
  return (
    <header class="site-header">
      <div class="site-bar">
        <Brand href="/" />
        {isShutOut.value === false ? <Ways /> : <span class="site-nav" />}
        <ThemeButton />
      </div>
    </header>
  )
}

/** The pages, and everything about the user. */
function Ways() {
  const { page } = route.value
  return (
    <>
      {exchangeFacts.value.isDemo && <span class="tag">{t.demo}</span>}
      <nav class="site-nav trade-nav" aria-label={t.pages}>
        {PAGES.map(([name, address, words]) => (
          <a key={name} href={address} aria-current={page === name ? 'page' : undefined}>
            <Icon shape={name} />
            {words}
          </a>
        ))}
      </nav>
      <ConnectionBadge />
      <Balance />
      <Bell />
      <UserMenu />
    </>
  )
}

const BADGE_WORDS = { live: t.live, catching_up: t.catchingUp, offline: t.offline } as const

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
      <small>{t.availableBalance}</small>
    </p>
  )
}
