/** How long to wait between attempts: from the first pause on twice as long each time, up to a bound. */
export interface Backoff {
  readonly firstMs: number
  readonly maxMs: number
}

/**
 * The pause after so many failed attempts, 1 or more. Half of it is left to chance, so that clients that were
 * cut off together do not come back together.
 */
export function pauseMs({ firstMs, maxMs }: Backoff, failures: number, random: () => number): number {
  const whole = Math.min(maxMs, firstMs * 2 ** (failures - 1))
  return whole / 2 + (whole / 2) * random()
}
