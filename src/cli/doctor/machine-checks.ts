import type { Check } from './check.js'
import { fail, ok, warn } from './check.js'

/** No clock that is right shows less: this program did not exist. */
const PROGRAM_BEGAN = Date.UTC(2026, 10, 1)
/** Each connection is an open file, and an exchange takes 20,000 of them. */
const FILES_WANTED = 4096
const FILES_NEEDED = 256

/** A clock far behind would keep the journal's time standing still. */
export function clockCheck(now: number): Check {
  const shown = new Date(now).toISOString()
  if (now >= PROGRAM_BEGAN) return ok('clock', shown)
  return fail('clock', `${shown}, which is in the past`, 'set it, and keep it right with NTP')
}

/** How many files may be open: Node itself asks for as many as it may have. */
export function openFilesCheck(most: number | undefined): Check {
  if (most === undefined) return ok('files', 'how many may be open is not known on this system')
  if (most === Number.POSITIVE_INFINITY) return ok('files', 'as many open files as it likes')
  const found = `${most} open files, and so about as many connections at most`
  const advice = `raise it to 20600 (ulimit -n, or LimitNOFILE= of a systemd unit)`
  if (most < FILES_NEEDED) return fail('files', found, advice)
  if (most < FILES_WANTED) return warn('files', found, advice)
  return ok('files', found)
}
