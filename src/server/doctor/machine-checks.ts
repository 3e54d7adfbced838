import { existsSync } from 'node:fs'
import type { Check } from './check.js'
import { fail, ok, warn } from './check.js'

/** A correct clock is past this time: Raay did not exist before. */
const PROGRAM_BEGAN = Date.UTC(2026, 10, 1)
const TIMESYNC = '/run/systemd/timesync'
/** Each connection is an open file, and an exchange takes up to 20,000 of them. */
const FILES_WANTED = 4096
const FILES_NEEDED = 256

/** Checks that the clock is not far behind, which would hold back the journal's time. */
export function clockCheck(now: number, sync = timeSync()): Check {
  const shown = `${new Date(now).toISOString().slice(0, 19).replace('T', ' ')} UTC`
  if (now >= PROGRAM_BEGAN) {
    if (sync === undefined) return ok('clock', shown)
    if (sync) return ok('clock', `${shown}, kept by systemd-timesyncd`)
    const advice = 'let this machine reach its time servers: timedatectl timesync-status'
    return warn('clock', `${shown}, not synchronized since the machine started`, advice)
  }
  return fail('clock', `${shown}, which is in the past`, 'set it, and keep it right with NTP')
}

/** Returns whether systemd-timesyncd has set the clock; undefined where it does not run. */
function timeSync(): boolean | undefined {
  return existsSync(TIMESYNC) ? existsSync(`${TIMESYNC}/synchronized`) : undefined
}

/** Checks the limit on open files, which Node raises as far as it may. */
export function openFilesCheck(most: number | undefined): Check {
  if (most === undefined) return ok('files', 'the limit is not known on this system')
  if (most === Number.POSITIVE_INFINITY) return ok('files', 'no limit on open files')
  const found = `up to ${most.toLocaleString('en-IN')} open files, so about as many connections`
  const advice = `raise it to 20600 (ulimit -n, or LimitNOFILE= of a systemd unit)`
  if (most < FILES_NEEDED) return fail('files', found, advice)
  if (most < FILES_WANTED) return warn('files', found, advice)
  return ok('files', found)
}
