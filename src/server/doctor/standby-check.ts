import type { HostStanding } from '../health/host-standing.js'
import type { Check } from './check.js'
import { ok, warn } from './check.js'

/** Checks whether a standby follows closely; an exchange that leads has nothing to be checked. */
export function standbyChecks({ read, isBehind }: HostStanding): readonly Check[] {
  const { leads, sequence, logEnd, lagMs, failure } = read()
  if (leads) return []
  const advice = 'look at the log and at the network to it; until then proxies send reads to others'
  if (failure !== undefined) return [warn('standby', `the log does not answer: ${failure}`, advice)]
  if (logEnd === undefined) return [warn('standby', 'nothing has been heard from the log yet', advice)]
  const found = `has batch ${sequence} of ${logEnd}, and had all ${Math.round(lagMs / 1000)} s ago`
  return [isBehind() ? warn('standby', found, advice) : ok('standby', found)]
}
