import { z } from 'zod'

/** Accepts a whole number in a query, written in digits. */
export function wholeNumber(min: number, max: number) {
  const message = `Expected ${min} to ${max}`
  return z.preprocess(read, z.number(message).int(message).min(min, message).max(max, message))
}

/** Refuses any other notation: NaN fails the type check. */
function read(text: unknown): unknown {
  return typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
}
