import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { nearestOf } from '../../api/did-you-mean.js'
import { jsonFault } from './json-fault.js'
import { partsOf, WrongValue } from './setting-types.js'
import type { FileSettings } from './setting-values.js'
import { ConfigError } from './setting-values.js'
import type { Setting, SettingTexts } from './settings.js'
import { rowOf, SETTING_NAMES } from './settings.js'

const LENGTH_MAX = 64 * 1024
const GROUP_AND_OTHERS = 0o077
const OTHERS = 0o007

/** Settings that no file has, and why. */
const ELSEWHERE: Readonly<Partial<Record<Setting, string>>> = {
  config: 'a file cannot name another one',
  'env-file': 'variables take precedence over this file, so give it as an option',
  'demo-fresh': 'it would delete the demo at every start; give it as an option',
  'demo-remove': 'it would delete the demo at every start; give it as an option',
}

/** Settings that decide which data directory is used, and so which file is read from it. */
const PLACES: readonly Setting[] = ['data', 'demo']
const ASKED_BEFORE =
  'this file is found in the data directory, so it cannot choose another; give it as an option or a ' +
  'variable, or keep this file elsewhere and name it with --config'

/** The values of each kind as JSON, and what else is said of others. */
const KINDS = {
  number: z.number({ error: 'must be a number, without quotes' }),
  boolean: z.boolean({ error: 'must be true or false, without quotes' }),
  text: z.string({ error: 'must be a text, in quotes' }),
  list: z.union([z.string(), z.array(z.string())], { error: 'must be a list of texts, such as ["a", "b"]' }),
} as const

/** The file as a whole: the tables of all settings, with their kinds and bounds. */
const FILE = z.strictObject(Object.fromEntries(SETTING_NAMES.map(name => [name, fieldOf(name).optional()])))

/**
 * Reads a file of settings.
 *
 * @param isInData if it was found in the data directory, which it then cannot choose
 * @throws ConfigError with all its faults
 */
export function readConfigFile(path: string, isInData: boolean): FileSettings {
  const content = contentOf(path)
  const fault = jsonFault(content)
  if (fault !== undefined) {
    throw new ConfigError(`${path}: line ${fault.line}, column ${fault.column}: ${fault.reason}`)
  }
  const object: unknown = JSON.parse(content)
  const result = FILE.safeParse(object)
  if (!result.success) throw new ConfigError(...result.error.issues.flatMap(issue => wordsFor(path, issue)))
  const texts = result.data as SettingTexts
  const given = SETTING_NAMES.filter(name => texts[name] !== undefined)
  const wrong = given.flatMap(name => {
    const why = ELSEWHERE[name] ?? (isInData && PLACES.includes(name) ? ASKED_BEFORE : undefined)
    return why === undefined ? [] : [`${path}: "${name}" cannot be set here: ${why}`]
  })
  if (wrong.length > 0) throw new ConfigError(...wrong)
  const secret = given.find(name => rowOf(name).isSecret && texts[name] !== '')
  if (secret !== undefined) checkMode(path, secret)
  return { path, texts }
}

function contentOf(path: string): string {
  try {
    const content = readFileSync(path, 'utf8')
    if (content.length <= LENGTH_MAX) return content.replace(/^\uFEFF/, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(`${path} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : code}`)
  }
  throw new ConfigError(`${path} is longer than ${LENGTH_MAX / 1024} KiB`)
}

/** Returns the schema of one setting, which makes it a text. */
function fieldOf(name: Setting) {
  const { type, fallback } = rowOf(name)
  return KINDS[type.inFile].transform((value, context) => {
    const text = textOf(value)
    try {
      if (text !== '' || fallback !== '') type.read(text)
      for (const part of Array.isArray(value) ? value : []) checkPart(part)
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error
      context.addIssue(error.message)
    }
    return text
  })
}

function textOf(value: number | boolean | string | readonly string[]): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value)
}

function checkPart(part: string): void {
  if (partsOf(part).length !== 1) throw new WrongValue(`has "${part}": give one to each text of the list`)
}

function wordsFor(path: string, issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map(key => `${path}: ${unknownKey(key)}`)
  const [key] = issue.path
  return [
    key === undefined ? `${path}: expected an object, { … }` : `${path}: "${String(key)}" ${issue.message}`,
  ]
}

function unknownKey(key: string): string {
  const nearest = nearestOf(key.replaceAll('_', '-'), SETTING_NAMES)
  return `there is no setting "${key}"${nearest === undefined ? '' : ` (Did you mean "${nearest}"?)`}`
}

/** Throws if others may read a secret, as ssh does. A file of another owner is read by way of its group. */
function checkMode(path: string, secret: Setting): void {
  if (process.getuid === undefined) return
  const { mode, uid } = statSync(path)
  const forbidden = uid === process.getuid() ? GROUP_AND_OTHERS : OTHERS
  if ((mode & forbidden) === 0) return
  const shown = (mode & 0o777).toString(8).padStart(4, '0')
  throw new ConfigError(
    `${path} holds "${secret}", but other users may read it (${shown}): chmod 600 ${path}`,
  )
}
