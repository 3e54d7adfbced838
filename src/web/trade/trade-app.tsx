import { useEffect } from 'preact/hooks'
import { useFocusOnPage } from '../kit/page-focus.js'
import { t } from '../texts/frame.js'
import { MarketPage } from './market/market-page.jsx'
import { MarketsPage } from './markets/markets-page.jsx'
import { NamePicker } from './name-picker.jsx'
import { Toasts } from './notices/toasts.jsx'
import { PeopleLater } from './people/later.jsx'
import { PortfolioDoor } from './portfolio/portfolio-door.jsx'
import { route } from './router.js'
import { isClosed } from './session-watch.js'
import { SiteFrame } from './site-frame.jsx'
import { setTitle } from '../kit/page-site.js'

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
  if (isClosed.value) return <Closed />
  switch (at.page) {
    case 'markets':
      return <MarketsPage />
    case 'market':
      return <MarketPage key={at.code} code={at.code} />
    case 'portfolio':
      return <PortfolioDoor tab={at.tab} />
    case 'people':
      return <PeopleLater userid={at.userid} />
    case 'missing':
      return <MissingPage />
  }
}

/** Shown to visitors without a token, where one is needed even for the markets. */
function Closed() {
  return (
    <section class="card welcome">
      <h1>{t.closedTitle}</h1>
      <p class="soft">
        {t.closedWhy} {t.developers} <a href="/docs">{t.apiDocs}</a>.
      </p>
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
