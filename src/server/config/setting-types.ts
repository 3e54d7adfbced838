import type { Amount } from '../../core/units.js'
import { amount, UNITS_PER_RUPEE, wholeParts } from '../../core/units.js'

/** How a setting is written: as a text on the command line and in variables, as JSON in a file. */
export interface SettingType<Value> {
  /** The placeholder of its value in the help; undefined for a switch. */
  readonly value: string | undefined
  readonly inFile: 'number' | 'boolean' | 'text' | 'list'
  /** Reads a text that is not empty. Throws WrongValue. */
  readonly read: (text: string) => Value
}

/** A setting, in the tables of all settings. */
export interface SettingRow {
  /** Empty if no variable sets it. */
  readonly variable: string
  /** Empty if it has no fixed default. */
  readonly fallback: string
  readonly fallbackShown?: string
  readonly help: string
  readonly type: SettingType<unknown>
  /** Its value is never shown or logged. */
  readonly isSecret?: true
  /** It has no option, because other users of the machine see options with `ps`. */
  readonly isOptionless?: true
  /** A reload of the file changes it while the exchange runs. */
  readonly isLive?: true
}

export type SettingRows = Readonly<Record<string, SettingRow>>

/** A value that a setting cannot have; the message goes on behind the setting's name. */
export class WrongValue extends Error {
  override readonly name = 'WrongValue'
}

/** A whole number within bounds. */
export function wholeNumber(min: number, max: number, value = 'n'): SettingType<number> {
  return {
    value,
    inFile: 'number',
    read: text => {
      const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
      if (number >= min && number <= max) return number
      throw new WrongValue(`is ${text}: give a whole number from ${min} to ${max}`)
    },
  }
}

/** An amount of money. */
export const RUPEES: SettingType<Amount> = {
  value: 'rupees',
  inFile: 'number',
  read: text => {
    const units = /^\d{1,12}(\.\d{1,4})?$/.test(text) ? wholeParts(Number(text), UNITS_PER_RUPEE) : undefined
    if (units !== undefined) return amount(units)
    throw new WrongValue(`is ${text}: give rupees, such as 1000000`)
  },
}

const SWITCH_WORDS: Readonly<Record<string, boolean>> = {
  yes: true,
  true: true,
  '1': true,
  no: false,
  false: false,
  '0': false,
}

/** A switch: on the command line it has no value. */
export const SWITCH: SettingType<boolean> = {
  value: undefined,
  inFile: 'boolean',
  read: text => {
    const isOn = SWITCH_WORDS[text.toLowerCase()]
    if (isOn !== undefined) return isOn
    throw new WrongValue(`is ${text}: give yes or no`)
  },
}

/** One of some words. */
export function oneOf<const Word extends string>(value: string, words: readonly Word[]): SettingType<Word> {
  return {
    value,
    inFile: 'text',
    read: text => {
      const word = words.find(word => word === text)
      if (word !== undefined) return word
      throw new WrongValue(`is ${text}: give ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`)
    },
  }
}

/** Any text. */
export function anyText(value: string): SettingType<string> {
  return { value, inFile: 'text', read: text => text }
}

/** A list separated by commas. */
export function listOf<Part>(readPart: (text: string) => Part): SettingType<readonly Part[]> {
  return { value: 'list', inFile: 'list', read: text => partsOf(text).map(readPart) }
}

/** Long enough not to be guessed, with characters that are valid in headers. */
const TOKEN = /^[\x21-\x7e]{16,256}$/
const SECRET_BYTES_MIN = 32
export const SECRET_ADVICE = `give at least ${SECRET_BYTES_MIN} bytes, as openssl rand -hex 32 makes`

/** A token that is sent in headers. It is not repeated in messages, which end up in logs. */
export const ADMIN_TOKEN: SettingType<string> = {
  value: 'token',
  inFile: 'text',
  read: text => {
    if (TOKEN.test(text)) return text
    const expected = '16 to 256 letters, digits and signs without spaces, such as openssl rand -hex 32 makes'
    throw new WrongValue(`is not a valid token: use ${expected}`)
  },
}

/** A secret that signs tokens. It is not repeated in messages, which end up in logs. */
export const SIGNING_SECRET: SettingType<string> = {
  value: 'secret',
  inFile: 'text',
  read: text => {
    if (Buffer.byteLength(text) >= SECRET_BYTES_MIN) return text
    throw new WrongValue(`is too short: ${SECRET_ADVICE}`)
  },
}

/** Returns the texts in a list separated by commas. */
export function partsOf(text: string): string[] {
  return text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
}
