import type { Settlement, StatementEntry } from '../../../../client/shapes.js'
import { rupeesText } from '../../../kit/number-texts.js'
import { t } from '../../../texts/portfolio.js'
import { exchange } from '../../exchange-client.js'
import { MarketLink } from '../../market-link.jsx'
import { titleOf } from '../../titles.js'
import { sheetTime } from '../../../kit/zone-days.js'
import type { List } from './list.js'
import { timeColumn } from './list-cells.jsx'
import { Gain } from './list-sum.jsx'

/** The user’s settlements. */
export const SETTLEMENTS: List<Settlement> = {
  name: 'settlements',
  columns: [
    {
      id: 'market',
      kind: 'wide',
      label: t.market,
      isMarket: true,
      sortBy: ({ event_id }) => titleOf(event_id),
      cell: ({ event_id }) => <MarketLink eventId={event_id} />,
    },
    {
      id: 'result',
      label: t.result,
      sortBy: ({ outcome }) => t.outcomes[outcome],
      cell: ({ outcome }) => <span class={outcome}>{t.outcomes[outcome]}</span>,
    },
    {
      id: 'invested',
      label: t.invested,
      kind: 'number',
      isRoomy: true,
      sortBy: ({ paid }) => paid,
      cell: ({ paid }) => rupeesText(paid),
    },
    {
      id: 'payout',
      label: t.payout,
      kind: 'number',
      sortBy: ({ payment }) => payment,
      cell: ({ payment }) => rupeesText(payment),
    },
    {
      id: 'gain',
      label: t.gain,
      kind: 'number',
      sortBy: ({ result }) => result,
      cell: ({ result }) => <Gain rupees={result} />,
    },
    timeColumn(({ settledAt }) => settledAt),
  ],
  load: (userid, from, limit) => exchange.fetchSettlements({ userid, from, limit }),
  idOf: ({ event_id }) => event_id,
  eventOf: ({ event_id }) => event_id,
  sum: { label: t.gain, of: ({ result }) => result },
  sheet: [
    [t.timeIn, ({ settledAt }) => sheetTime(settledAt)],
    [t.event, ({ event_id }) => event_id],
    [t.market, ({ event_id }) => titleOf(event_id)],
    [t.result, ({ outcome }) => t.outcomes[outcome]],
    [t.yesContracts, ({ yes }) => yes],
    [t.noContracts, ({ no }) => no],
    [t.investedRupees, ({ paid }) => paid],
    [t.payoutRupees, ({ payment }) => payment],
    [t.gainRupees, ({ result }) => result],
  ],
  empty: t.noSettlements,
}

/** Every change of the user’s cash. */
export const TRANSACTIONS: List<StatementEntry> = {
  name: 'transactions',
  columns: [
    {
      id: 'market',
      kind: 'wide',
      label: t.entry,
      sortBy: ({ type }) => t.entries[type],
      cell: ({ type, event_id }) => (
        <>
          {t.entries[type]}
          {event_id !== null && <MarketLink eventId={event_id} />}
        </>
      ),
    },
    {
      id: 'amount',
      label: t.change,
      kind: 'number',
      sortBy: ({ amount }) => amount,
      cell: ({ amount }) => rupeesText(amount, 'signed'),
    },
    {
      id: 'cash',
      label: t.balance,
      kind: 'number',
      sortBy: ({ cash }) => cash,
      cell: ({ cash }) => rupeesText(cash),
    },
    timeColumn(({ createdAt }) => createdAt),
  ],
  load: (userid, from, limit) => exchange.fetchStatement({ userid, from, limit }),
  idOf: ({ id }) => id,
  eventOf: ({ event_id }) => event_id,
  sum: { label: t.netChange, of: ({ amount }) => amount },
  kinds: {
    choices: (['trade', 'settlement', 'merge', 'conversion', 'void', 'deposit', 'withdrawal'] as const).map(
      type => [type, t.entries[type]],
    ),
    of: ({ type }) => type,
  },
  sheet: [
    [t.timeIn, ({ createdAt }) => sheetTime(createdAt)],
    [t.entry, ({ type }) => t.entries[type]],
    [t.event, ({ event_id }) => event_id],
    [t.market, ({ event_id }) => (event_id === null ? null : titleOf(event_id))],
    [t.changeRupees, ({ amount }) => amount],
    [t.balanceRupees, ({ cash }) => cash],
    [t.transactionId, ({ txn_id }) => txn_id],
    [t.tradeId, ({ trade_id }) => trade_id],
  ],
  empty: t.noTransactions,
}
