/**
 * Text that anyone may have written, for a terminal: control characters would move its cursor or change its
 * colours, and marks of direction would show words in an order in which they are not.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}
