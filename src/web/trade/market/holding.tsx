import { useEffect, useRef } from 'preact/hooks'
import type { Market, OrderBook, Position } from '../../../client/shapes.js'
import { countText, gainTone, rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/ticket.js'
import { account } from '../account.js'
import { ExitDialog } from '../orders/exit-dialog.jsx'
import type { Outcome } from '../ticket/ticket-draft.js'
import type { TicketState } from '../ticket/ticket-state.js'
import type { OwnOrder } from './ladder-rows.js'
import type { WorthNow } from './worth-now.js'
import { priceOf, worthNow } from './worth-now.js'

interface HoldingProps {
  readonly market: Market
  /** Undefined until it is loaded. */
  readonly book: OrderBook | undefined
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
      <Contracts {...{ market, book, own, ticket, position }} />
      {isExiting && book !== undefined && (
        <ExitDialog market={market} book={book} own={own} ticket={ticket} outcome={exiting} />
      )}
    </>
  )
}

interface ContractsProps extends HoldingProps {
  readonly position: Position | undefined
}

function Contracts({ market, book, own, position, ticket }: ContractsProps) {
  const held = (['yes', 'no'] as const).filter(outcome => (position?.[outcome] ?? 0) > 0)
  if (position === undefined || held.length === 0) return <p class="empty">{t.noPosition}</p>
  return (
    <div class="card-body">
      {held.map(outcome => (
        <Held key={outcome} {...{ market, book, own, position, outcome, ticket }} />
      ))}
      {market.status !== 'open' && <NoExit {...{ market, position, ticket }} />}
    </div>
  )
}

interface HeldProps extends ContractsProps {
  readonly position: Position
  readonly outcome: Outcome
}

function Held({ market, book, own, position, outcome, ticket }: HeldProps) {
  const average = account.value.valued.get(market.event_id)?.average_price ?? null
  const locked = outcome === 'yes' ? position.yes_locked : position.no_locked
  const held = position[outcome]
  const name = t.outcome[outcome]
  return (
    <div class="held">
      <p>
        <b class={outcome}>{t.youOwn(t.holding(name, countText(held)))}</b>
        {locked > 0 && <span class="faint"> · {t.lockedInOrders(countText(locked))}</span>}
      </p>
      {average !== null && (
        <p class="soft">{t.breakEven(rupeesText(average), rupeesText(held * market.payout), name)}</p>
      )}
      {market.status === 'open' && book !== undefined && (
        <Worth worth={worthNow({ outcome, held, payout: market.payout }, book, own)} average={average} />
      )}
      {book !== undefined && book.last_price !== null && (
        <p class="faint">{t.lastPriceIs(rupeesText(priceOf(outcome, book.last_price, market.payout)))}</p>
      )}
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

interface WorthProps {
  readonly worth: WorthNow
  /** The average cost of a contract; null while it is unknown. */
  readonly average: number | null
}

/** The proceeds of a sale now, and the profit or loss of that. */
function Worth({ worth: { sold, money, isAll }, average }: WorthProps) {
  if (sold === 0) return <p class="soft">{t.noBuyersNow}</p>
  const gain = average === null ? 0 : money - average * sold
  return (
    <p>
      {isAll ? t.sellsNowFor(rupeesText(money)) : t.sellsPartNow(countText(sold), rupeesText(money))}
      {average !== null && <b class={gainTone(gain)}> {rupeesText(gain, 'signed')}</b>}
    </p>
  )
}

interface NoExitProps extends Pick<HoldingProps, 'market' | 'ticket'> {
  readonly position: Position
}

/** Says why nothing can be sold, and what happens next; has the focus if the page was opened to sell. */
function NoExit({ market, position, ticket }: NoExitProps) {
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
