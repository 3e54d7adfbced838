import { z } from 'zod'
import { answerField } from '../fields.js'
import { LIMITS } from '../limits.js'
import type { Checked, Same } from '../same-shape.js'
import { storedText } from '../validation.js'
import type { UserSettings, Watchlist } from './settings-shape.js'

const { settingsMax, settingLengthMax } = LIMITS
const NAME = /^[a-z][a-z0-9_]{0,39}$/
const NAMES = 'Expected names of lower-case letters, digits and underscores, of up to 40 characters'
const VALUES = `Expected texts of up to ${settingLengthMax} characters, numbers, true or false`

const value = z.union([storedText.max(settingLengthMax, VALUES), z.number(), z.boolean()], VALUES)

/** The body of `PUT /portfolio/:userid/settings`. */
export const settingsSchema = z.strictObject({
  settings: z
    .record(z.string(), value)
    .refine(settings => Object.keys(settings).every(name => NAME.test(name)), NAMES)
    .refine(
      settings => Object.keys(settings).length <= settingsMax,
      `Expected at most ${settingsMax} settings`,
    )
    .meta({ description: 'Named values; they replace those that are there' }),
})

const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

export const settingsAnswer = z.object({ userid: z.string(), settings: values }).meta({ id: 'UserSettings' })

export const watchlistAnswer = z
  .object({ userid: z.string(), events: z.array(answerField.eventCode) })
  .meta({ id: 'Watchlist' })

export type SettingsAnswer = Checked<UserSettings, Same<UserSettings, z.output<typeof settingsAnswer>>>
export type WatchlistAnswer = Checked<Watchlist, Same<Watchlist, z.output<typeof watchlistAnswer>>>
