import { countText, rupeesText } from '../../kit/number-texts.js'
import { dayTimeText, timeLeftText } from '../../kit/time-texts.js'
import { numberIn } from '../number-input.js'
import type { EventDraft } from './event-draft.js'
import { momentIn } from './moment-input.js'

/** Explains a draft in sentences, leaving out those whose numbers are missing. */
export function termSentences(draft: EventDraft, nowMs: number): string[] {
  return [...timeSentences(draft, nowMs), ...moneySentences(draft)]
}

function timeSentences({ start_date, end_date }: EventDraft, nowMs: number): string[] {
  const [start, end] = [momentIn(start_date), momentIn(end_date)]
  const sentences: string[] = []
  if (start !== undefined) {
    const leftMs = Date.parse(start) - nowMs
    sentences.push(
      leftMs <= 0
        ? 'Trading opens immediately.'
        : `Trading opens in ${timeLeftText(leftMs)}, ${dayTimeText(start)}.`,
    )
  }
  if (end !== undefined) {
    const leftMs = Date.parse(end) - nowMs
    const closes = `It closes automatically in ${timeLeftText(leftMs)}, ${dayTimeText(end)}`
    sentences.push(
      leftMs <= 0
        ? 'The closing time is in the past: the event closes immediately and cannot be traded.'
        : `${closes}; then you resolve it.`,
    )
  }
  return sentences
}

function moneySentences(draft: EventDraft): string[] {
  const { payout, quantity, minBet, maxBet } = {
    payout: numberIn(draft.payout),
    quantity: numberIn(draft.quantity),
    minBet: numberIn(draft.min_bet),
    maxBet: numberIn(draft.max_bet),
  }
  const sentences: string[] = []
  if (payout !== undefined) {
    const prices = `prices go from ${rupeesText(0.1)} to ${rupeesText(payout - 0.1)} in steps of`
    sentences.push(
      `YES + NO = ${rupeesText(payout)}, the payout of the winning contract; ` +
        `${prices} ${rupeesText(Number(draft.tick_size))}.`,
    )
  }
  if (payout !== undefined && quantity !== undefined) {
    const escrow = rupeesText(quantity * payout)
    sentences.push(
      `Open interest is capped at ${countText(quantity)} contracts of each outcome, ${escrow} in escrow.`,
    )
  }
  if (minBet !== undefined && maxBet !== undefined) {
    sentences.push(`Order value: ${rupeesText(minBet)} to ${rupeesText(maxBet)}.`)
  }
  return sentences
}
