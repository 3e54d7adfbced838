import { useFocusOnPage } from '../kit/page-focus.js'
import { MarketPage } from './market/market-page.jsx'
import { MarketsPage } from './markets/markets-page.jsx'
import { NamePicker } from './name-picker.jsx'
import { PortfolioPage } from './portfolio/portfolio-page.jsx'
import { route } from './router.js'
import { SiteFrame } from './site-frame.jsx'

/** The page for the current address, in the site frame. */
export function App() {
  return (
    <>
      <SiteFrame>
        <Page />
      </SiteFrame>
      <NamePicker />
    </>
  )
}

function Page() {
  const at = route.value
  useFocusOnPage(at)
  switch (at.page) {
    case 'markets':
      return <MarketsPage />
    case 'market':
      return <MarketPage key={at.code} code={at.code} />
    case 'portfolio':
      return <PortfolioPage />
  }
}
