import { useEffect, useRef } from 'preact/hooks'
import { MarketPage } from './market-page.jsx'
import { MarketsPage } from './markets-page.jsx'
import { NamePicker } from './name-picker.jsx'
import { PortfolioPage } from './portfolio-page.jsx'
import { route } from './router.js'
import { SiteFrame } from './site-frame.jsx'

/** The page that the address names, in its frame. */
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
  const isFirst = useRef(true)
  useEffect(() => {
    // Who reads with ears or keys begins at the top of a page they went to, as if it had been loaded.
    if (!isFirst.current) document.getElementById('content')?.focus({ preventScroll: true })
    isFirst.current = false
  }, [at])
  switch (at.page) {
    case 'markets':
      return <MarketsPage />
    case 'market':
      return <MarketPage key={at.code} code={at.code} />
    case 'portfolio':
      return <PortfolioPage />
  }
}
