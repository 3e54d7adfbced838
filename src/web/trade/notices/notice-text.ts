import { countText, rupeesText } from '../../kit/number-texts.js'
import { reasonText } from '../../kit/reason-text.js'
import { t } from '../../texts/notices.js'
import type { Deal } from '../portfolio/own-deals.js'
import type { Notice } from './notice.js'

/** Says in a sentence or two what happened; the event’s title is shown beside it. */
export function noticeText(notice: Notice): string {
  switch (notice.kind) {
    case 'filled':
      return t.filled(dealsText(notice.deals))
    case 'part_filled':
      return t.partFilled(dealsText(notice.deals), countText(notice.left))
    case 'cancelled':
    case 'rejected': {
      const { offer_type, outcome, quantity, price, reason, state } = notice.order
      const what = t.order(offer_type, outcome, countText(quantity), rupeesText(price))
      const why = reason === null ? '' : reasonText(reason)
      if (notice.kind === 'rejected') return t.rejected(what, why)
      return state === 'expired' ? t.expired(what) : t.cancelled(what, why)
    }
    case 'mentioned':
      return t.mentioned(notice.by, notice.text)
    case 'status':
      return t.status[notice.status]
    case 'settled': {
      const { result, payment, gain } = notice
      if (result === 'void') return t.voided(rupeesText(payment))
      return t.settled(result, rupeesText(payment), unbroken(rupeesText(gain, 'signed')))
    }
  }
}

/** Joins a sign to its amount: lines break between `+` and `₹`. */
function unbroken(amount: string): string {
  return amount.replace(/^[+−]/, sign => `${sign}\u2060`)
}

/** `Bought 10 YES at ₹6.20` */
export function dealsText(deals: readonly Deal[]): string {
  const parts = deals.map(({ deal, outcome, quantity, price }) =>
    t.deal(deal, outcome, countText(quantity), rupeesText(price)),
  )
  return parts.join(t.and)
}
