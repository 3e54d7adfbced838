import { QUANTITY_LOTS_MAX } from '../../../core/units.js'
import { hundredthsIn } from '../../kit/hundredths.js'

/** The settings of a user, by the names under which the exchange stores them. */
export interface UserSettings {
  readonly ticket_type: 'MO' | 'LO'
  readonly ticket_unit: 'rupees' | 'contracts'
  /** The quantities last ordered, as typed. */
  readonly ticket_contracts: string
  readonly ticket_rupees: string
  /** Which orders are confirmed before they are sent. */
  readonly ticket_confirm: 'large' | 'always' | 'never'
  /** How much worse than shown an order at market may trade, in percent of the payout. */
  readonly ticket_tolerance: Tolerance
  /** True if keys work the ticket. */
  readonly ticket_keys: boolean
  readonly notices_fills: boolean
  readonly notices_endings: boolean
  readonly notices_results: boolean
  readonly notices_mentions: boolean
  /** True if comments show the position of their author. */
  readonly comments_position: boolean
}

export const TOLERANCES = [0, 1, 2, 5] as const
export type Tolerance = (typeof TOLERANCES)[number]

export type SettingName = keyof UserSettings

/** How a newcomer begins. */
export const DEFAULTS: UserSettings = {
  ticket_type: 'MO',
  ticket_unit: 'rupees',
  ticket_contracts: '10',
  ticket_rupees: '100',
  ticket_confirm: 'large',
  ticket_tolerance: 1,
  ticket_keys: true,
  notices_fills: true,
  notices_endings: true,
  notices_results: true,
  notices_mentions: true,
  comments_position: false,
}

const OPTIONS: Partial<Record<SettingName, readonly unknown[]>> = {
  ticket_type: ['MO', 'LO'],
  ticket_unit: ['rupees', 'contracts'],
  ticket_confirm: ['large', 'always', 'never'],
  ticket_tolerance: TOLERANCES,
}

const QUANTITY_LENGTH_MAX = 20
const HUNDREDTHS_MIN = 10

/** Returns the settings among stored values, which may come from anywhere; others are left out. */
export function settingsAmong(values: Readonly<Record<string, unknown>>): Partial<UserSettings> {
  const names = Object.keys(DEFAULTS) as SettingName[]
  const found = names.filter(name => isSetting(name, values[name]))
  return Object.fromEntries(found.map(name => [name, values[name]]))
}

/** Returns whether a setting can have this value. */
export function isSetting(name: SettingName, value: unknown): boolean {
  const options = OPTIONS[name]
  if (options !== undefined) return options.includes(value)
  if (typeof value !== typeof DEFAULTS[name]) return false
  return typeof value !== 'string' || isQuantity(value)
}

function isQuantity(text: string): boolean {
  const hundredths = text.length > QUANTITY_LENGTH_MAX ? undefined : hundredthsIn(text)
  return hundredths !== undefined && hundredths >= HUNDREDTHS_MIN && hundredths <= QUANTITY_LOTS_MAX
}
