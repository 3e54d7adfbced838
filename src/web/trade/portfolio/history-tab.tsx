import { useSignal } from '@preact/signals'
import { t } from '../../texts/portfolio.js'
import { SETTLEMENTS, TRANSACTIONS } from './lists/money-lists.jsx'
import { ListPage } from './lists/shown-list.jsx'
import { TRADES } from './lists/trade-lists.jsx'

const NAMES = ['trades', 'settlements', 'transactions'] as const

type Name = (typeof NAMES)[number]

/** Trades, settlements or transactions, as the address says. */
export function HistoryTab({ name }: { readonly name: string }) {
  const chosen = useSignal<Name>(listIn(location.search))
  const choose = (list: Name) => {
    chosen.value = list
    history.replaceState(null, '', `${location.pathname}?list=${list}`)
  }
  return (
    <section class="card" aria-label={t.tabs.history}>
      <div class="card-head">
        <fieldset class="chips" aria-label={t.tabs.history}>
          {NAMES.map(list => (
            <button
              key={list}
              type="button"
              class="chip"
              aria-pressed={chosen.value === list}
              onClick={() => choose(list)}
            >
              {t.lists[list]}
            </button>
          ))}
        </fieldset>
      </div>
      {chosen.value === 'trades' && <ListPage key="trades" list={TRADES} name={name} />}
      {chosen.value === 'settlements' && <ListPage key="settlements" list={SETTLEMENTS} name={name} />}
      {chosen.value === 'transactions' && <ListPage key="transactions" list={TRANSACTIONS} name={name} />}
    </section>
  )
}

function listIn(search: string): Name {
  const list = new URLSearchParams(search).get('list')
  return NAMES.find(name => name === list) ?? 'trades'
}
