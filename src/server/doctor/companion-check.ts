import type { Companion } from '../../store/files/companion-files.js'
import { companionName } from '../../store/files/companion-files.js'
import type { Check } from './check.js'
import { fail, ok, warn } from './check.js'

/** How to mend a companion that is in doubt. */
export const COMPANION_ADVICE: Readonly<Record<Companion, string>> = {
  accounts:
    'stop the exchange, put the newest backup of access.db in its place and run raay access accept; ' +
    'without one, raay access accept takes the file as it is, and raay access new begins without accounts',
  site:
    'stop the exchange and put the newest backup of site.db in its place (one of another exchange needs ' +
    'raay access accept), or move it away to begin with an empty one',
}

/** Checks a companion: the accounts must not be in doubt, since nobody could sign in. */
export function companionCheck(companion: Companion, doubt: string | undefined): Check {
  const name = companion === 'accounts' ? 'access' : 'site'
  if (doubt === undefined) return ok(name, `${companionName(companion)} is in order`)
  return (companion === 'accounts' ? fail : warn)(name, doubt, COMPANION_ADVICE[companion])
}
