import { z } from 'zod'

/** A whole number in a query, written in digits. */
export function wholeNumber(min: number, max: number) {
  const message = `Expected ${min} to ${max}`
  return z.preprocess(read, z.number(message).int(message).min(min, message).max(max, message))
}

/** Other ways to write a number are none: NaN is refused as a type. */
function read(text: unknown): unknown {
  return typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
}
