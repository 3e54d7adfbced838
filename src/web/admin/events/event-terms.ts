import { countText, rupeesText } from '../../kit/number-texts.js'
import { dayTimeText, timeLeftText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-events.js'
import { numberIn } from '../number-input.js'
import type { EventDraft } from './event-draft.js'
import { rateIn, rateWords } from './fee-words.js'
import { momentIn } from './moment-input.js'
import { t as fees } from '../../texts/admin-fees.js'

/** Explains a draft in sentences, leaving out those whose numbers are missing. */
export function termSentences(draft: EventDraft, nowMs: number): string[] {
  return [...timeSentences(draft, nowMs), ...moneySentences(draft)]
}

function timeSentences({ start_date, end_date }: EventDraft, nowMs: number): string[] {
  const [start, end] = [momentIn(start_date), momentIn(end_date)]
  const sentences: string[] = []
  if (start !== undefined) {
    const leftMs = Date.parse(start) - nowMs
    sentences.push(leftMs <= 0 ? t.terms.opensNow : t.terms.opensIn(timeLeftText(leftMs), dayTimeText(start)))
  }
  if (end !== undefined) {
    const leftMs = Date.parse(end) - nowMs
    sentences.push(leftMs <= 0 ? t.terms.past : t.terms.closesIn(timeLeftText(leftMs), dayTimeText(end)))
  }
  return sentences
}

function moneySentences(draft: EventDraft): string[] {
  const [payout, quantity] = [numberIn(draft.payout), numberIn(draft.quantity)]
  const [minBet, maxBet] = [numberIn(draft.min_bet), numberIn(draft.max_bet)]
  const sentences: string[] = []
  if (payout !== undefined) {
    const [low, high, step] = [0.1, payout - 0.1, Number(draft.tick_size)].map(value => rupeesText(value))
    sentences.push(t.terms.prices(rupeesText(payout), low ?? '', high ?? '', step ?? ''))
  }
  if (payout !== undefined && quantity !== undefined) {
    sentences.push(t.terms.cap(countText(quantity), rupeesText(quantity * payout)))
  }
  if (minBet !== undefined && maxBet !== undefined) {
    sentences.push(t.terms.orders(rupeesText(minBet), rupeesText(maxBet)))
  }
  const rates = [
    [fees.taker, draft.fee_taker_bp],
    [fees.maker, draft.fee_maker_bp],
  ] as const
  for (const [who, text] of rates) {
    const rate = rateIn(text)
    if (rate !== undefined && payout !== undefined)
      sentences.push(fees.sentence(who, rateWords(rate, payout)))
  }
  return sentences
}
