import { ConfigError } from '../../server/config.js'

const NUMBER = /^\d{1,15}(?:\.\d{1,15})?$/
const WHOLE = /^\d{1,15}$/

/** A number of rupees or contracts: what it may be is the exchange's to say. Throws ConfigError. */
export function numberOf(name: string, text: string): number {
  if (NUMBER.test(text)) return Number(text)
  throw new ConfigError(`${name} is ${text}: give a number, such as 100 or 2.5`)
}

/** A whole number within its bounds. Throws ConfigError. */
export function wholeNumberOf(name: string, text: string, min: number, max: number): number {
  const value = WHOLE.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new ConfigError(`${name} is ${text}: give a whole number from ${min} to ${max}`)
}
