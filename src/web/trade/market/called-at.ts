import type { Settlement } from '../../../client/shapes.js'

/**
 * Returns the chance at which a user called the result: what their contracts cost of what they pay. Undefined
 * for users who held both outcomes, or whose sales paid for the rest.
 */
export function calledAt(
  { yes, no, paid }: Pick<Settlement, 'yes' | 'no' | 'paid'>,
  payout: number,
): number | undefined {
  const count = yes + no
  if ((yes > 0 && no > 0) || count === 0) return undefined
  const chance = paid / (count * payout)
  return chance > 0 && chance < 1 ? chance : undefined
}
