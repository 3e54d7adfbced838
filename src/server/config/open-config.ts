import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { directoryOf } from './config.js'
import { ConfigError, SettingValues } from './setting-values.js'
import type { SettingTexts } from './settings.js'

const FILE_NAME = 'config.json'

/** The options and variables of a process, the same for every reload. */
export interface ConfigSources {
  readonly flags: SettingTexts
  /** With the variables of `--env-file`. */
  readonly env: NodeJS.ProcessEnv
}

/** The settings that were found. */
export interface OpenedConfig {
  readonly values: SettingValues
  /** The file of settings that was read; undefined if there is none. */
  readonly file: string | undefined
  /** The settings in that file. */
  readonly texts: SettingTexts
}

/** Returns the sources of settings. Reads `--env-file`; throws ConfigError if it cannot be read. */
export function configSources(flags: SettingTexts, env: NodeJS.ProcessEnv): ConfigSources {
  const path = flags['env-file']
  return path === undefined ? { flags, env } : { flags, env: { ...variablesOf(path), ...setIn(env) } }
}

/** Reads the settings, with the file of settings if there is one. Rejects with ConfigError. */
export async function openConfig({ flags, env }: ConfigSources): Promise<OpenedConfig> {
  const given = SettingValues.of(flags, env)
  const named = given.read('config')
  const own = join(directoryOf(given), FILE_NAME)
  const file = named ?? (existsSync(own) ? own : undefined)
  if (file === undefined) return { values: given, file, texts: {} }
  // Loads zod, which most verbs of the command line never need.
  const { readConfigFile } = await import('./config-file.js')
  const read = readConfigFile(file, named === undefined)
  return { values: SettingValues.of(flags, env, read), file, texts: read.texts }
}

function variablesOf(path: string): NodeJS.ProcessEnv {
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new ConfigError(`--env-file ${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** An empty variable counts as unset. */
function setIn(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
}
