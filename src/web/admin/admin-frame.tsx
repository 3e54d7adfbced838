import type { ComponentChildren } from 'preact'
import { authSession, signOut } from '../auth/auth-session.js'
import { useAction } from '../forms/action.js'
import { Brand } from '../kit/brand.jsx'
import { useClosingMenu } from '../kit/closing-menu.js'
import { LanguageSwitch } from '../kit/language-switch.jsx'
import { ThemeButton } from '../kit/theme-button.jsx'
import { t } from '../texts/admin-frame.js'
import { access, reach } from './admin-access.js'
import type { AdminRoute } from './admin-router.js'
import { adminRoute } from './admin-router.js'

type Link = readonly [address: string, words: string, pages: readonly AdminRoute['page'][]]

const LINKS: readonly Link[] = [
  ['/admin', t.events, ['events', 'event', 'new', 'bulk']],
  ['/admin/groups', t.groups, ['groups', 'group', 'newGroup']],
  ['/admin/users', t.users, ['users', 'user']],
  ['/admin/comments', t.comments, ['comments']],
  ['/admin/health', t.health, ['health']],
  ['/admin/accounts', t.accounts, ['accounts']],
]
/** Those for which the header has no room: they are needed less often. */
const MORE_LINKS: readonly Link[] = [
  ['/admin/fees', t.fees, ['fees']],
  ['/admin/seasons', t.seasons, ['seasons']],
  ['/admin/webhooks', t.webhooks, ['webhooks']],
  ['/admin/actions', t.log, ['actions']],
  ['/admin/audit', t.audit, ['audit']],
]
const REACH_WORDS = { catching_up: t.connecting, live: t.live, offline: t.offline } as const

/** The header and footer of every operator page. */
export function AdminFrame({ children }: { readonly children: ComponentChildren }) {
  return (
    <>
      <a class="skip" href="#content">
        {t.skip}
      </a>
      <header class="site-header">
        <div class="site-bar admin-bar">
          <Brand href="/admin" />
          <span class="tag admin-tag">{t.admin}</span>
          <Navigation />
          <p class={`badge badge-${reach.value}`} role="status">
            <span>{REACH_WORDS[reach.value]}</span>
          </p>
          <SignOut />
          <ThemeButton />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <footer class="site-footer">
        <p>
          {t.everyAction} <a href="/">{t.viewAsTrader}</a>
        </p>
        <LanguageSwitch />
      </footer>
    </>
  )
}

function Navigation() {
  const menu = useClosingMenu()
  if (access.value !== 'in') return <nav class="site-nav" aria-label={t.pages} />
  return (
    <nav class="site-nav" aria-label={t.pages}>
      {LINKS.filter(([, , [page]]) => page !== 'accounts' || authSession.value?.mode === 'accounts').map(
        pageLink,
      )}
      {/* The menu of another page is another one, and closed. */}
      <details key={adminRoute.value.page} class="user-menu more-pages" ref={menu}>
        <summary>{t.more}</summary>
        <div class="card user-menu-items">{MORE_LINKS.map(pageLink)}</div>
      </details>
    </nav>
  )
}

function pageLink([address, words, pages]: Link) {
  return (
    <a key={address} href={address} aria-current={pages.includes(adminRoute.value.page) ? 'page' : undefined}>
      {words}
    </a>
  )
}

/** Shows who is signed in, and ends the session. */
function SignOut() {
  const { fault, isBusy, run } = useAction()
  const caller = authSession.value?.caller
  if (access.value !== 'in' || caller === null || caller === undefined) return null
  return (
    <>
      {caller.userid !== null && (
        <a class="button button-small account-link" href="/account">
          <span>{caller.userid}</span>
        </a>
      )}
      <button
        type="button"
        class="button button-small leave"
        disabled={isBusy}
        title={fault?.words}
        onClick={() => run(() => signOut('/admin'))}
      >
        {t.signOut}
      </button>
    </>
  )
}
