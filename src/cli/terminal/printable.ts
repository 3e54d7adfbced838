/**
 * Makes text by others safe for a terminal: control characters could move its cursor or change its colours,
 * and direction marks could show words in another order.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}
