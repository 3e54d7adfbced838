import type { ReplicationReading } from '../../api/operator/health-reading.js'
import type { Check } from './check.js'
import { ok, warn } from './check.js'

/** Checks whether the journal gets to its log elsewhere; without one there is nothing to be checked. */
export function replicationChecks(reading: ReplicationReading | undefined): readonly Check[] {
  if (reading === undefined) return []
  const { through, failure } = reading
  if (failure !== undefined) {
    const since = new Date(failure.at).toISOString()
    const advice = 'mend the log; until then a loss of this machine would take more, or orders wait'
    return [warn('replication', `since ${since} the log takes no batches: ${failure.message}`, advice)]
  }
  return [ok('replication', through === undefined ? 'nothing is copied yet' : `through batch ${through}`)]
}
