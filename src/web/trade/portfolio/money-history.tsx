import type { Settlement, StatementEntry } from '../../../client/shapes.js'
import { rupeesText } from '../../kit/number-texts.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { exchange } from '../exchange-client.js'
import { MarketLink } from '../market-link.jsx'
import { HistoryFrame } from './history-frame.jsx'

interface OfName {
  readonly name: string
}

const ENTRY_WORDS: Readonly<Record<string, string>> = {
  opening: 'Welcome bonus (play money)',
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  trade: 'Trade',
  merge: 'YES+NO pairs redeemed',
  settlement: 'Payout',
  void: 'Refund (void)',
  brought_forward: 'Brought forward',
}

/** Every change of the user’s cash. */
export function StatementTable({ name }: OfName) {
  return (
    <HistoryFrame<StatementEntry>
      load={limit => exchange.fetchStatement({ userid: name, limit })}
      heads={[['Entry'], ['Change', 'number'], ['Balance', 'number']]}
      empty="No transactions yet."
      row={({ id, createdAt, type, amount, cash, event_id }) => (
        <tr key={id}>
          <td class="wide">
            {ENTRY_WORDS[type] ?? type}
            {event_id !== null && <MarketLink eventId={event_id} />}
            <small>{dayTimeText(createdAt)}</small>
          </td>
          <td class="number">{rupeesText(amount, 'signed')}</td>
          <td class="number">{rupeesText(cash)}</td>
        </tr>
      )}
    />
  )
}

/** The user’s settlements, by event. */
export function SettlementsTable({ name }: OfName) {
  return (
    <HistoryFrame<Settlement>
      load={limit => exchange.fetchSettlements({ userid: name, limit })}
      heads={[['Market'], ['Result'], ['Invested', 'number'], ['Payout', 'number'], ['P&L', 'number']]}
      empty="No settled markets yet."
      row={({ event_id, settledAt, outcome, paid, payment, result }) => (
        <tr key={event_id}>
          <td class="wide">
            <MarketLink eventId={event_id} />
            <small>{dayTimeText(settledAt)}</small>
          </td>
          <td>{outcome.toUpperCase()}</td>
          <td class="number">{rupeesText(paid)}</td>
          <td class="number">{rupeesText(payment)}</td>
          <td class={`number ${result >= 0 ? 'gain' : 'loss'}`}>{rupeesText(result, 'signed')}</td>
        </tr>
      )}
    />
  )
}
