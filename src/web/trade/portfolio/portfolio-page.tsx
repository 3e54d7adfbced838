import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { rupeesText } from '../../kit/number-texts.js'
import { account } from '../account.js'
import { enter, nextStep } from '../entry.js'
import { exchangeFacts } from '../exchange-facts.js'
import { userId } from '../session.js'
import { titleOf } from '../titles.js'
import { SettlementsTable, StatementTable } from './money-history.jsx'
import { OpenOrders } from './open-orders.jsx'
import { PositionsTable } from './positions-table.jsx'
import { FillsTable, OrdersTable } from './trade-history.jsx'

const HISTORIES = [
  ['statement', 'Statement', StatementTable],
  ['fills', 'Trades', FillsTable],
  ['orders', 'All orders', OrdersTable],
  ['results', 'Settlements', SettlementsTable],
] as const

/** A user’s balance, positions, open orders and history. */
export function PortfolioPage() {
  useEffect(() => {
    document.title = 'Portfolio · Raay'
  }, [])
  const name = userId.value
  if (name === undefined) return <NoPortfolio />
  return (
    <div class="portfolio">
      <h1>{name}’s portfolio</h1>
      <Money />
      <section class="card" aria-labelledby="positions-title">
        <h2 id="positions-title">Positions</h2>
        <PositionsTable />
      </section>
      <section class="card" aria-labelledby="open-title">
        <h2 id="open-title">Open orders</h2>
        <OpenOrders orders={account.value.orders ?? []} titleOf={titleOf} />
      </section>
      <History key={name} name={name} />
    </div>
  )
}

/** Says how to get to a portfolio. */
function NoPortfolio() {
  const { portfolio = '', act = '' } = nextStep.value ?? {}
  return (
    <section class="card welcome">
      <h1>{portfolio}</h1>
      <p class="soft">You trade with play money. No real deposits or withdrawals.</p>
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
  const { balance } = account.value
  const begin = exchangeFacts.value.startingBalance
  const figures = [
    ['Available', balance?.available ?? begin],
    ['In open orders', balance?.held ?? 0],
    ['Cash', balance?.cash ?? begin],
  ] as const
  return (
    <>
      <dl class="figures">
        {figures.map(([label, figure]) => (
          <div key={label} class="card">
            <dt>{label}</dt>
            <dd>{figure === undefined ? '–' : rupeesText(figure)}</dd>
          </div>
        ))}
      </dl>
      <p class="faint">
        Play money.{balance === undefined && begin !== 0 && ' It is credited with your first order.'}
      </p>
    </>
  )
}

function History({ name }: { readonly name: string }) {
  const chosen = useSignal<(typeof HISTORIES)[number][0]>('statement')
  const [, , Table] = HISTORIES.find(([id]) => id === chosen.value) ?? HISTORIES[0]
  return (
    <section class="card" aria-label="History">
      <div class="card-head">
        <h2>History</h2>
        <div class="chips">
          {HISTORIES.map(([id, label]) => (
            <button
              key={id}
              type="button"
              class="chip"
              aria-pressed={chosen.value === id}
              onClick={() => {
                chosen.value = id
              }}
            >
              {label}
            </button>
          ))}
        </div>
      </div>
      <Table key={chosen.value} name={name} />
    </section>
  )
}
