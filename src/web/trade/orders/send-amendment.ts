import { errorText } from '../../kit/error-text.js'
import { reasonText } from '../../kit/reason-text.js'
import { t } from '../../texts/ticket.js'
import { exchange } from '../exchange-client.js'
import { checkSession } from '../session-watch.js'
import type { TicketResult } from '../ticket/ticket-result.js'
import { resultOf } from '../ticket/ticket-result.js'
import type { AmendmentPlan } from './amendment.js'

/** Sends a change to an open order; returns the result or the refusal. */
export async function sendAmendment(id: string, change: AmendmentPlan['change']): Promise<TicketResult> {
  try {
    const { words, ...result } = resultOf(await exchange.amendOrder(id, change))
    return { ...result, words: t.changed(words) }
  } catch (error) {
    checkSession(error)
    return { mood: 'bad', words: refusalText(error) }
  }
}

function refusalText(error: unknown): string {
  const { code, reason } = error as { readonly code?: number; readonly reason?: string }
  if (code !== 409 || reason === undefined) return errorText(error)
  return reason === 'order_ended' ? t.orderEnded : t.notChanged(reasonText(reason))
}
