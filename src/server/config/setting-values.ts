import type { SettingRow } from './setting-types.js'
import { WrongValue } from './setting-types.js'
import type { Setting, SettingTexts, ValueOf } from './settings.js'
import { rowOf, SETTING_NAMES } from './settings.js'

/** An invalid option, variable or file; the message names it and says what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  /** Each on its own, where there are several. */
  readonly problems: readonly string[]

  /** Takes a bounded number of problems: a file has few settings. */
  constructor(...problems: string[]) {
    super(problems.join('; '))
    this.problems = problems
  }
}

/** A file of settings. */
export interface FileSettings {
  readonly path: string
  readonly texts: SettingTexts
}

/** The source of a setting; the first takes precedence. */
export type Origin = 'option' | 'variable' | 'file' | 'default'

/** A setting as text, and where it was given. */
export interface GivenSetting {
  /** Empty if it is not set. */
  readonly text: string
  readonly origin: Origin
  /** Names it in messages: as option and variable, or as key of the file. */
  readonly shownName: string
}

/** The settings of an exchange, each from the first of options, variables, file and defaults that has it. */
export class SettingValues {
  readonly #given: ReadonlyMap<Setting, GivenSetting>

  private constructor(given: ReadonlyMap<Setting, GivenSetting>) {
    this.#given = given
  }

  static of(flags: SettingTexts, env: NodeJS.ProcessEnv, file?: FileSettings): SettingValues {
    return new SettingValues(new Map(SETTING_NAMES.map(name => [name, givenIn(name, flags, env, file)])))
  }

  /** Returns these settings, with some taken from others. */
  with(others: SettingValues, taken: readonly Setting[]): SettingValues {
    return new SettingValues(
      new Map([...this.#given, ...taken.map(name => [name, others.of(name)] as const)]),
    )
  }

  of(setting: Setting): GivenSetting {
    const given = this.#given.get(setting)
    return given ?? { text: '', origin: 'default', shownName: `--${setting}` }
  }

  text(setting: Setting): string {
    return this.of(setting).text
  }

  /** Names a setting in messages, by where it was given. */
  nameOf(setting: Setting): string {
    return this.of(setting).shownName
  }

  /** Reads a setting. Throws ConfigError. */
  read<Name extends Setting>(setting: Name): ValueOf<Name> {
    const { text, shownName, origin } = this.of(setting)
    const { type, fallback, isSecret }: SettingRow = rowOf(setting)
    // An empty secret is a mistake of the script that gives it.
    const isUnset = text === '' && !(isSecret && origin === 'option')
    if (isUnset && fallback === '') return undefined as ValueOf<Name>
    try {
      return type.read(text) as ValueOf<Name>
    } catch (error) {
      throw error instanceof WrongValue ? new ConfigError(`${shownName} ${error.message}`) : error
    }
  }
}

function givenIn(
  setting: Setting,
  flags: SettingTexts,
  env: NodeJS.ProcessEnv,
  file: FileSettings | undefined,
): GivenSetting {
  const { variable, fallback, isOptionless } = rowOf(setting)
  const flag = flags[setting]
  const named = variable === '' ? `--${setting}` : `--${setting} (${variable})`
  const shownName = isOptionless ? variable : named
  if (flag !== undefined) return { text: flag, origin: 'option', shownName }
  const value = env[variable]
  // An empty variable counts as unset.
  if (value) return { text: value, origin: 'variable', shownName }
  const text = file?.texts[setting]
  if (text) return { text, origin: 'file', shownName: `${file.path}: "${setting}"` }
  return { text: fallback, origin: 'default', shownName }
}
