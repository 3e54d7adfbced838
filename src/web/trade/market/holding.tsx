import { useEffect, useRef } from 'preact/hooks'
import type { Market, Position } from '../../../client/shapes.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/ticket.js'
import { account } from '../account.js'
import { ExitDialog } from '../orders/exit-dialog.jsx'
import type { Outcome } from '../ticket/ticket-draft.js'
import type { TicketState } from '../ticket/ticket-state.js'
import type { Book, OwnOrder } from './ladder-rows.js'

interface HoldingProps {
  readonly market: Market
  /** Undefined until it is loaded. */
  readonly book: Book | undefined
  readonly own: readonly OwnOrder[]
  readonly ticket: TicketState
}

/** The user’s position and its P&L, with a way out; after trading, what happens next. */
export function Holding({ market, book, own, ticket }: HoldingProps) {
  const { positions } = account.value
  const exiting = ticket.exiting.value
  const position = positions?.find(({ event_id }) => event_id === market.event_id)
  const isExiting = exiting !== undefined && market.status === 'open' && positions !== undefined
  return (
    <>
      <Contracts market={market} position={position} ticket={ticket} />
      {isExiting && book !== undefined && (
        <ExitDialog market={market} book={book} own={own} ticket={ticket} outcome={exiting} />
      )}
    </>
  )
}

interface ContractsProps {
  readonly market: Market
  readonly position: Position | undefined
  readonly ticket: TicketState
}

function Contracts({ market, position, ticket }: ContractsProps) {
  const held = (['yes', 'no'] as const).filter(outcome => (position?.[outcome] ?? 0) > 0)
  if (position === undefined || held.length === 0) return <p class="empty">{t.noPosition}</p>
  return (
    <div class="card-body">
      {held.map(outcome => (
        <Held key={outcome} market={market} position={position} outcome={outcome} ticket={ticket} />
      ))}
      {market.status !== 'open' && <NoExit market={market} position={position} ticket={ticket} />}
    </div>
  )
}

interface HeldProps extends ContractsProps {
  readonly position: Position
  readonly outcome: Outcome
}

function Held({ market, position, outcome, ticket }: HeldProps) {
  const valued = account.value.valued.get(market.event_id)
  const locked = outcome === 'yes' ? position.yes_locked : position.no_locked
  const gain = valued?.unrealised ?? null
  const average = valued?.average_price ?? null
  return (
    <div class="held">
      <p>
        <b class={outcome}>{t.holding(t.outcome[outcome], countText(position[outcome]))}</b>
        {average !== null && ` ${t.atAverage(rupeesText(average))}`}
        {locked > 0 && <span class="faint"> · {t.lockedInOrders(countText(locked))}</span>}
      </p>
      <p class={gain === null || gain === 0 ? 'soft' : gain > 0 ? 'gain' : 'loss'}>
        {gain === null ? '–' : t.atLastPrice(rupeesText(gain, 'signed'))}
      </p>
      {market.status === 'open' && (
        <button
          type="button"
          class="button button-small"
          onClick={() => {
            ticket.exiting.value = outcome
          }}
        >
          {t.exit}
          <span class="unseen"> {t.exitHint(t.outcome[outcome])}</span>
        </button>
      )}
    </div>
  )
}

/** Says why nothing can be sold, and what happens next; has the focus if the page was opened to sell. */
function NoExit({ market, position, ticket }: ContractsProps & { readonly position: Position }) {
  const words = useRef<HTMLParagraphElement>(null)
  const { payout, status } = market
  useEffect(() => {
    if (ticket.exiting.value === undefined) return
    ticket.exiting.value = undefined
    words.current?.focus()
  }, [])
  const paid = (contracts: number) => rupeesText(contracts * payout)
  return (
    <p class="notice no-exit" tabIndex={-1} ref={words}>
      {t.noExit[status](paid(position.yes), paid(position.no))}
    </p>
  )
}
