import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Modal } from '../../kit/modal.jsx'
import { rupeesText } from '../../kit/number-texts.js'
import { nameText } from '../../kit/name-text.js'
import { t } from '../../texts/ticket.js'
import { isNarrow } from '../narrow-screen.js'
import { ShortcutList } from './keys/shortcut-list.jsx'
import { isHelpOpen, useTicketKeys } from './keys/ticket-keys.js'
import type { TicketProps } from './ticket.jsx'
import { Answer, Ticket } from './ticket.jsx'
import type { Outcome } from './ticket-draft.js'
import { FirstBet } from './first-bet.jsx'
import { bestPrice, nearestPrice } from './first-offer.js'
import { openSheet } from './ticket-state.js'

/** The ticket where it fits: a card beside the market or, on a phone, a sheet above a bar to buy. */
export function TicketPlace(props: TicketProps) {
  useTicketKeys(props.ticket, props.market.event_id)
  return (
    <>
      {isNarrow.value ? (
        <>
          <BuyBar {...props} />
          {props.ticket.isSheetOpen.value && <TicketSheet {...props} />}
        </>
      ) : (
        <section class="card" aria-label={t.trade}>
          <Ticket {...props} />
        </section>
      )}
      {isHelpOpen.value && <ShortcutList />}
    </>
  )
}

/** Buttons within reach of the thumb; each opens the ticket for its outcome. */
function BuyBar({ market, book, ticket }: TicketProps) {
  const offered = (outcome: Outcome, find: typeof bestPrice) =>
    book && find({ deal: 'buy', outcome }, book, market.payout)
  return (
    <section class="buy-bar" aria-label={t.trade}>
      {ticket.sent.isAway.value && <Answer sent={ticket.sent} />}
      {!ticket.isSheetOpen.value && market.status === 'open' && <FirstBet ticket={ticket} />}
      {(['yes', 'no'] as const).map(outcome => {
        const price = offered(outcome, bestPrice)
        return (
          <button
            key={outcome}
            type="button"
            class={`button button-${outcome}`}
            disabled={market.status !== 'open'}
            onClick={() => openSheet(ticket, outcome, offered(outcome, nearestPrice))}
          >
            {t.buyWhat(t.outcome[outcome])}
            {price !== undefined && <span class="buy-bar-price">{rupeesText(price)}</span>}
          </button>
        )
      })}
    </section>
  )
}

/** The ticket as a sheet from below, which comes first: a slow phone takes 0.1 s to draw a ticket. */
function TicketSheet(props: TicketProps) {
  const isShown = useSignal(false)
  useEffect(() => {
    isShown.value = true
  }, [])
  const close = () => {
    const { isSheetOpen, sent } = props.ticket
    sent.isAway.value = sent.isSending.value
    isSheetOpen.value = false
  }
  return (
    <Modal class="sheet" onClose={close} closesOutside aria-label={t.ticket}>
      <div class="sheet-head">
        <h2 tabIndex={-1} autofocus>
          {nameText(props.market.title)}
        </h2>
        <button type="button" class="button button-small" onClick={close}>
          {t.close}
        </button>
      </div>
      {isShown.value && <Ticket {...props} />}
    </Modal>
  )
}
