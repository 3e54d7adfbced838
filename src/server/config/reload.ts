import type { Config } from './config.js'
import { configOf } from './config.js'
import type { ConfigSources, OpenedConfig } from './open-config.js'
import { openConfig } from './open-config.js'
import { ConfigError } from './setting-values.js'
import type { Setting } from './settings.js'
import { rowOf, SETTING_NAMES } from './settings.js'

/** The settings after a reload. */
export interface Reloaded {
  readonly config: Config
  /** The settings in use from now on. */
  readonly opened: OpenedConfig
  readonly changed: readonly Setting[]
  /** Settings of the file that only a restart changes. */
  readonly waiting: readonly Setting[]
}

/**
 * Reads the file of settings again. Rejects with ConfigError, and nothing has changed, unless all settings
 * are valid: those of the file, and those then in use. Returns undefined if there is no file, as before.
 */
export async function reloadConfig(
  sources: ConfigSources,
  inUse: OpenedConfig,
): Promise<Reloaded | undefined> {
  const { values, file, texts } = await openConfig(sources)
  if (file === undefined && inUse.file === undefined) return undefined
  // Editors replace a file in two steps: one that is missing is not taken for an empty one.
  if (file === undefined) throw new ConfigError(`${inUse.file} is missing`)
  configOf(values)
  const different = SETTING_NAMES.filter(name => values.text(name) !== inUse.values.text(name))
  const changed = different.filter(isLive)
  const next = inUse.values.with(values, changed)
  const waiting = different.filter(name => !isLive(name))
  return { config: configOf(next), opened: { values: next, file, texts }, changed, waiting }
}

function isLive(name: Setting): boolean {
  return rowOf(name).isLive === true
}
