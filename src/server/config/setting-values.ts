import type { Amount } from '../../core/units.js'
import { amount, UNITS_PER_RUPEE, wholeParts } from '../../core/units.js'
import type { Setting } from './settings.js'
import { SETTINGS } from './settings.js'

/** An invalid option or variable; the message names it and says what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Reads a whole number within bounds. Throws ConfigError. */
export function wholeNumber(setting: Setting, text: string, min: number, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new ConfigError(`${nameOf(setting)} is ${text}: give a whole number from ${min} to ${max}`)
}

const SWITCH_WORDS: Readonly<Record<string, boolean>> = {
  yes: true,
  true: true,
  '1': true,
  no: false,
  false: false,
  '0': false,
}

/** Reads a switch. Throws ConfigError. */
export function yesOrNo(setting: Setting, text: string): boolean {
  const value = SWITCH_WORDS[text.toLowerCase()]
  if (value !== undefined) return value
  throw new ConfigError(`${nameOf(setting)} is ${text}: give yes or no`)
}

/** Reads an amount of money. Throws ConfigError. */
export function rupees(setting: Setting, text: string): Amount {
  const units = /^\d{1,12}(\.\d{1,4})?$/.test(text) ? wholeParts(Number(text), UNITS_PER_RUPEE) : undefined
  if (units !== undefined) return amount(units)
  throw new ConfigError(`${nameOf(setting)} is ${text}: give rupees, such as 1000000`)
}

/** Reads one of some words. Throws ConfigError. */
export function oneOf<Word extends string>(setting: Setting, text: string, words: readonly Word[]): Word {
  const word = words.find(word => word === text)
  if (word !== undefined) return word
  throw new ConfigError(
    `${nameOf(setting)} is ${text}: give ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`,
  )
}

/** Returns the texts in a list separated by commas. */
export function listIn(text: string): string[] {
  return text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
}

/** Names a setting in messages, as option and as variable. */
export function nameOf(setting: Setting): string {
  return `--${setting} (${SETTINGS[setting].variable})`
}
