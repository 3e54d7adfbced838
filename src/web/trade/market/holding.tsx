import type { Market, Position } from '../../../client/shapes.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { account } from '../account.js'
import type { Outcome } from '../ticket/ticket-draft.js'
import type { TicketState } from '../ticket/ticket-state.js'

interface HoldingProps {
  readonly market: Market
  readonly ticket: TicketState
}

/** The user’s position and its P&L; Exit fills in the ticket. */
export function Holding({ market, ticket }: HoldingProps) {
  const position = account.value.positions?.find(({ event_id }) => event_id === market.event_id)
  const held = (['yes', 'no'] as const).filter(outcome => (position?.[outcome] ?? 0) > 0)
  if (position === undefined || held.length === 0)
    return <p class="empty">You have no position in this market.</p>
  return (
    <div class="card-body">
      {held.map(outcome => (
        <Held key={outcome} market={market} position={position} outcome={outcome} ticket={ticket} />
      ))}
    </div>
  )
}

interface HeldProps {
  readonly market: Market
  readonly position: Position
  readonly outcome: Outcome
  readonly ticket: TicketState
}

function Held({ market, position, outcome, ticket }: HeldProps) {
  const valued = account.value.valued.get(market.event_id)
  const locked = outcome === 'yes' ? position.yes_locked : position.no_locked
  const free = position[outcome] - locked
  const exit = () => {
    ticket.deal.value = 'sell'
    ticket.outcome.value = outcome
    ticket.orderType.value = 'MO'
    ticket.wantsAll.value = true
    document.querySelector<HTMLElement>('.ticket-send')?.focus()
  }
  const gain = valued?.unrealised ?? null
  return (
    <div class="held">
      <p>
        <b class={outcome}>
          {countText(position[outcome])} {outcome.toUpperCase()}
        </b>
        {valued?.average_price != null && <> at {rupeesText(valued.average_price)} average</>}
        {locked > 0 && <span class="faint"> · {countText(locked)} in open orders</span>}
      </p>
      <p class={gain === null || gain === 0 ? 'soft' : gain > 0 ? 'gain' : 'loss'}>
        {gain === null ? '–' : `${rupeesText(gain, 'signed')} at the last price`}
      </p>
      <button
        type="button"
        class="button button-small"
        disabled={free <= 0 || market.status !== 'open'}
        onClick={exit}
      >
        Exit<span class="unseen"> {outcome.toUpperCase()}: fill in a sell order</span>
      </button>
    </div>
  )
}
