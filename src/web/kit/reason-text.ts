import { reasonSentence } from '../../api/orders/order-reason-texts.js'
import { translatedReason } from './error-text.js'

/** Returns an order's reason in whole sentences, in the reader's language where it has one for it. */
export function reasonText(reason: string): string {
  return translatedReason(reason) ?? reasonSentence(reason)
}
