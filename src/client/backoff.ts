/** Pauses between attempts: each twice as long as the one before, up to a bound. */
export interface Backoff {
  readonly firstMs: number
  readonly maxMs: number
}

/**
 * Returns the pause after a number of failed attempts, 1 or more. Half of it is random, so that clients cut
 * off together do not all return together.
 */
export function pauseMs({ firstMs, maxMs }: Backoff, failures: number, random: () => number): number {
  const whole = Math.min(maxMs, firstMs * 2 ** (failures - 1))
  return whole / 2 + (whole / 2) * random()
}
