import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { SessionStatus } from '../../api/auth/auth-shape.js'
import { AnnouncementBar } from '../announcement/announcement-bar.jsx'
import { authSession, isShutOut, loadSession } from '../auth/auth-session.js'
import { Brand } from '../kit/brand.jsx'
import { LanguageSwitch } from '../kit/language-switch.jsx'
import { setTitle } from '../kit/page-site.js'
import { ThemeButton } from '../kit/theme-button.jsx'
import { t } from '../texts/account.js'
import { AccountPage } from './account-page.jsx'
import { ProviderReturnPage } from './provider-return-page.jsx'
import { RecoverPage } from './recover-page.jsx'
import { SignInPage } from './sign-in-page.jsx'
import { SignUpPage } from './sign-up-page.jsx'

const RETRY_MS = 1500

const PAGES: Readonly<Record<string, (props: { readonly session: SessionStatus }) => ComponentChildren>> = {
  '/sign-in': SignInPage,
  '/sign-in/oidc': ProviderReturnPage,
  '/sign-up': SignUpPage,
  '/recover': RecoverPage,
  '/account': AccountPage,
}

/** The page for the address: signing in and up, recovery, or one’s own account. */
export function AccountApp() {
  const isOffline = useSignal(false)
  useEffect(() => {
    const ask = () =>
      loadSession().then(
        () => {
          isOffline.value = false
        },
        () => {
          isOffline.value = true
          setTimeout(ask, RETRY_MS)
        },
      )
    void ask()
  }, [])
  const session = authSession.value
  return (
    <>
      <a class="skip" href="#content">
        {t.skip}
      </a>
      <header class="site-header">
        <div class="site-bar">
          <Brand href="/" />
          {isShutOut.value === false ? (
            <nav class="site-nav" aria-label={t.pages}>
              <a href="/">{t.markets}</a>
              <a href="/portfolio">{t.portfolio}</a>
            </nav>
          ) : (
            <span class="site-nav" />
          )}
          <ThemeButton />
        </div>
      </header>
      <AnnouncementBar />
      <main id="content" tabIndex={-1}>
        {session === undefined && (
          <p class="empty" role="status">
            {isOffline.value ? t.notResponding : t.connecting}
          </p>
        )}
        {session !== undefined && <Shown session={session} />}
      </main>
      <footer class="site-footer">
        <LanguageSwitch />
      </footer>
    </>
  )
}

function Shown({ session }: { readonly session: SessionStatus }) {
  const Page = PAGES[location.pathname] ?? SignInPage
  if (session.mode !== 'accounts') return <NoAccounts mode={session.mode} />
  return session.is_closed ? <SignInClosed /> : <Page session={session} />
}

/** Says that sign-in is closed at the moment. */
function SignInClosed() {
  useEffect(() => {
    setTitle(t.signIn)
  }, [])
  return (
    <section class="card gate">
      <h1>{t.signInClosed}</h1>
      <p class="soft">{t.signInClosedMore}</p>
      <p>
        <a class="button" href="/">
          {t.toMarkets}
        </a>
      </p>
    </section>
  )
}

/** Says how to trade on an exchange without accounts of its own. */
function NoAccounts({ mode }: Pick<SessionStatus, 'mode'>) {
  useEffect(() => {
    setTitle(t.signIn)
  }, [])
  return (
    <section class="card gate">
      <h1>{t.noAccounts}</h1>
      <p class="soft">{mode === 'open' ? t.noAccountsOpen : t.noAccountsElsewhere}</p>
      <p>
        <a class="button" href="/">
          {t.toMarkets}
        </a>
      </p>
    </section>
  )
}
