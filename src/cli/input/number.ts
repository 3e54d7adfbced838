import { UsageError } from '../exit-errors.js'

const NUMBER = /^\d{1,15}(?:\.\d{1,15})?$/
const WHOLE = /^\d{1,15}$/

/** Reads a number of rupees or contracts; the exchange checks its bounds. Throws UsageError. */
export function numberOf(name: string, text: string): number {
  if (NUMBER.test(text)) return Number(text)
  throw new UsageError(`${name} is ${text}: give a number, such as 100 or 2.5`)
}

/** Makes a parser of an option's number, such as `numberOf`. */
export const number = (flag: string) => (text: string) => numberOf(flag, text)

/** Makes a parser of an option's whole number within bounds. It throws UsageError. */
export function wholeNumber(flag: string, min: number, max: number): (text: string) => number {
  return text => {
    const value = WHOLE.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new UsageError(`${flag} is ${text}: give a whole number from ${min} to ${max}`)
  }
}
