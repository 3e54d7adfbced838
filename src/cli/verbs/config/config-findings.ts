import { nearestOf } from '../../../api/did-you-mean.js'
import { configOf } from '../../../server/config/config.js'
import type { ConfigSources, OpenedConfig } from '../../../server/config/open-config.js'
import { openConfig } from '../../../server/config/open-config.js'
import type { SettingValues } from '../../../server/config/setting-values.js'
import { ConfigError } from '../../../server/config/setting-values.js'
import type { Setting } from '../../../server/config/settings.js'
import { rowOf, SETTING_NAMES } from '../../../server/config/settings.js'

/** The result of a check of the settings. */
export interface ConfigFindings {
  readonly file: string | undefined
  /** The reasons why an exchange would not start. */
  readonly problems: readonly string[]
  /** Settings without effect. */
  readonly warnings: readonly string[]
}

/** Variables of the command line that are not settings of an exchange. */
const OTHER_VARIABLES = ['RAAY_URL', 'RAAY_TOKEN']

/** Finds all faults of the settings, and settings without effect. */
export async function findingsIn(sources: ConfigSources): Promise<ConfigFindings> {
  let opened: OpenedConfig
  try {
    opened = await openConfig(sources)
  } catch (error) {
    return { file: undefined, problems: problemsOf(error), warnings: [] }
  }
  const { values, file } = opened
  const each = SETTING_NAMES.flatMap(name => faultsOf(() => values.read(name)))
  const problems = each.length > 0 ? each : faultsOf(() => configOf(values))
  return { file, problems, warnings: problems.length > 0 ? [] : warningsOf(sources, opened) }
}

function faultsOf(read: () => unknown): readonly string[] {
  try {
    read()
    return []
  } catch (error) {
    return problemsOf(error)
  }
}

function problemsOf(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.problems
  throw error
}

function warningsOf({ env }: ConfigSources, { values, texts }: OpenedConfig): string[] {
  const hidden = SETTING_NAMES.filter(name => texts[name] !== undefined && values.of(name).origin !== 'file')
  return [
    ...hidden
      .filter(name => values.of(name).origin !== 'default')
      .map(
        name => `"${name}" in the file is not used: ${values.of(name).origin} ${values.nameOf(name)} wins`,
      ),
    ...SETTING_NAMES.flatMap(name => {
      const needed = values.of(name).origin === 'default' ? undefined : neededFor(name, values)
      return needed === undefined ? [] : [`${values.nameOf(name)} has no effect: it needs ${needed}`]
    }),
    ...unknownVariables(env),
  ]
}

/** Returns what a setting needs that is not so; undefined if it has an effect. */
function neededFor(name: Setting, values: SettingValues): string | undefined {
  const mode = values.read('auth')
  if ((name.startsWith('jwt-') || name === 'public-reads') && mode !== 'jwt') return '--auth jwt'
  if (name === 'sign-up' && mode !== 'accounts') return '--auth accounts'
  if (name === 'allow-open-network' && mode !== 'open') return '--auth open'
  if (/^demo-(?:seed|rate)$/.test(name) && !values.read('demo')) return '--demo'
  const algorithm = values.read('jwt-algorithm')
  if (name === 'jwt-jwks' && algorithm === 'HS256') return '--jwt-algorithm RS256, ES256 or EdDSA'
  if (/^jwt-secret/.test(name) && algorithm !== 'HS256') return '--jwt-algorithm HS256'
  return undefined
}

function unknownVariables(env: NodeJS.ProcessEnv): string[] {
  const known = [...SETTING_NAMES.map(name => rowOf(name).variable), ...OTHER_VARIABLES]
  return Object.keys(env)
    .filter(name => name.startsWith('RAAY_') && !known.includes(name))
    .map(name => {
      const nearest = nearestOf(name, known)
      return `${name} is not a variable of Raay${nearest === undefined ? '' : ` (Did you mean ${nearest}?)`}`
    })
}
