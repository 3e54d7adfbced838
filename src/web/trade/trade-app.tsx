import { useEffect } from 'preact/hooks'
import { authSession, isShutOut } from '../auth/auth-session.js'
import { signInAddress } from '../auth/next-page.js'
import { path, search } from '../kit/address.js'
import { Later } from '../kit/later.jsx'
import { useFocusOnPage } from '../kit/page-focus.js'
import { t } from '../texts/frame.js'
import { NamePicker } from './name-picker.jsx'
import { Toasts } from './notices/toasts.jsx'
import { route } from './router.js'
import { SiteFrame } from './site-frame.jsx'
import { setTitle, siteName } from '../kit/page-site.js'

const marketsPage = () => import('./markets/markets-page.jsx').then(({ MarketsPage }) => MarketsPage)
const groupPage = () => import('./group/group-page.jsx').then(({ GroupPage }) => GroupPage)
const marketPage = () => import('./market/market-page.jsx').then(({ MarketPage }) => MarketPage)
const peoplePage = () => import('./people/people-page.jsx').then(({ PeoplePage }) => PeoplePage)
const portfolioPage = () =>
  import('./portfolio/portfolio-page.jsx').then(({ PortfolioPage }) => PortfolioPage)

/** The page for the current address, in the site frame. */
export function App() {
  return (
    <>
      <SiteFrame>
        <Page />
      </SiteFrame>
      <NamePicker />
      <Toasts />
    </>
  )
}

function Page() {
  const at = route.value
  useFocusOnPage(at)
  if (isShutOut.value !== false) return <MembersOnly />
  switch (at.page) {
    case 'markets':
      return <Later load={marketsPage} props={{}} isPage />
    case 'market':
      return <Later key={at.code} load={marketPage} props={{ code: at.code }} isPage />
    case 'group':
      return <Later key={at.code} load={groupPage} props={{ code: at.code }} isPage />
    case 'portfolio':
      return <Later load={portfolioPage} props={{ tab: at.tab }} isPage />
    case 'people':
      return <Later load={peoplePage} props={{ userid: at.userid }} isPage />
    case 'missing':
      return <MissingPage />
  }
}

/** Shown to visitors where only members may see the markets; empty until it is known who looks. */
function MembersOnly() {
  useEffect(() => setTitle(), [])
  const session = authSession.value
  if (session === undefined) {
    return (
      <p class="empty" role="status" aria-busy="true">
        {t.connecting}
      </p>
    )
  }
  const hasAccounts = session.mode === 'accounts'
  return (
    <section class="card welcome">
      <h1>{t.membersOnly}</h1>
      <p class="soft">{hasAccounts ? t.membersOnlyWhy(siteName) : t.signInElsewhere}</p>
      {hasAccounts && (
        <p class="ways">
          <a class="button button-main" href={signInAddress(path.value + search.value)}>
            {t.signIn}
          </a>
          {session.sign_up === 'open' && (
            <a class="button" href="/sign-up">
              {t.signUp}
            </a>
          )}
        </p>
      )}
    </section>
  )
}

/** Shown at an address that has no page, with ways back. */
function MissingPage() {
  useEffect(() => setTitle(t.missingTitle), [])
  return (
    <section class="card welcome">
      <h1>{t.missingTitle}</h1>
      <p class="soft">{t.missingWhy}</p>
      <p class="ways">
        <a class="button button-main" href="/">
          {t.allMarkets}
        </a>
        <a class="button" href="/portfolio">
          {t.portfolio}
        </a>
        <a class="button" href="/docs/guides">
          {t.guides}
        </a>
      </p>
    </section>
  )
}
