import { useEffect } from 'preact/hooks'
import { rupeesText } from '../../kit/number-texts.js'
import { setTitle } from '../../kit/page-site.js'
import { t } from '../../texts/portfolio.js'
import { account } from '../account.js'
import { enter, nextStep } from '../entry.js'
import { exchangeFacts, moneyRequest } from '../exchange-facts.js'
import type { PortfolioTab } from '../router.js'
import { userId } from '../session.js'
import { titleOf } from '../titles.js'
import { HistoryTab } from './history-tab.jsx'
import { ListPage } from './lists/shown-list.jsx'
import { ORDERS } from './lists/trade-lists.jsx'
import { OpenOrders } from './open-orders.jsx'
import { PositionsTable } from './positions-table.jsx'
import { StatementPage } from './statement/statement-page.jsx'
import { WorthCard } from './worth-card.jsx'

const TABS = ['positions', 'orders', 'history', 'statement'] as const satisfies PortfolioTab[]

/** A user’s worth, and below it the tab that the address names. */
export function PortfolioPage({ tab }: { readonly tab: PortfolioTab }) {
  useEffect(() => {
    setTitle(t.tabs[tab], t.tabsLabel)
  }, [tab])
  const name = userId.value
  if (name === undefined) return <NoPortfolio />
  return (
    <div class={tab === 'positions' ? 'portfolio' : 'portfolio portfolio-list'}>
      <h1>{t.title(name)}</h1>
      <WorthCard key={name} name={name} />
      <Money />
      <nav class="portfolio-tabs" aria-label={t.tabsLabel}>
        {TABS.map(choice => (
          <a key={choice} href={addressOf(choice)} aria-current={choice === tab ? 'page' : undefined}>
            {t.tabs[choice]}
          </a>
        ))}
      </nav>
      <Tab key={`${name} ${tab}`} tab={tab} name={name} />
    </div>
  )
}

function addressOf(tab: PortfolioTab): string {
  return tab === 'positions' ? '/portfolio' : `/portfolio/${tab}`
}

function Tab({ tab, name }: { readonly tab: PortfolioTab; readonly name: string }) {
  switch (tab) {
    case 'positions':
      return (
        <section class="card" aria-label={t.tabs.positions}>
          <PositionsTable name={name} />
        </section>
      )
    case 'orders':
      return (
        <>
          <section class="card" aria-labelledby="open-title">
            <h2 id="open-title">{t.openOrders}</h2>
            <OpenOrders orders={account.value.orders} titleOf={titleOf} />
          </section>
          <section class="card" aria-labelledby="orders-title">
            <h2 id="orders-title">{t.allOrders}</h2>
            <ListPage list={ORDERS} name={name} />
          </section>
        </>
      )
    case 'history':
      return <HistoryTab name={name} />
    case 'statement':
      return <StatementPage name={name} />
  }
}

/** Says how to get to a portfolio. */
function NoPortfolio() {
  const { portfolio = '', act = '' } = nextStep.value ?? {}
  return (
    <section class="card welcome">
      <h1>{portfolio}</h1>
      <p class="soft">{t.playMoneyOnly}</p>
      {act !== '' && (
        <p class="welcome-foot">
          <button type="button" class="button button-main" onClick={enter}>
            {act}
          </button>
        </p>
      )}
    </section>
  )
}

function Money() {
  const { balance, positions } = account.value
  const begin = exchangeFacts.value.startingBalance
  // Until the balance arrives, it is unknown whether there is an account.
  const isNew = balance === undefined && positions !== undefined
  const cash = isNew ? begin : undefined
  const figures = [
    [t.available, balance?.available ?? cash],
    [t.inOpenOrders, balance?.held ?? (isNew ? 0 : undefined)],
    [t.cash, balance?.cash ?? cash],
  ] as const
  return (
    <div class="card card-body money">
      <dl class="figures">
        {figures.map(([label, figure]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{figure === undefined ? '–' : rupeesText(figure)}</dd>
          </div>
        ))}
      </dl>
      {isNew && begin !== undefined && begin > 0 && <p class="faint">{t.creditedLater}</p>}
      {(balance?.cash ?? cash) === 0 && <p class="faint">{moneyRequest()}</p>}
    </div>
  )
}
