import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from '../../server/doctor/check.js'
import { fail, ok, warn } from '../../server/doctor/check.js'
import { assertDurable, lockForProcess, openDatabase } from '../../store/database.js'
import { LOCK_FILE } from '../../store/files/journal-path.js'

const COMMITS = 100
const COMMITS_MS_MAX = 1000
const COMMIT_MS_SLOW = 20

/** Checks whether an exchange is using the data directory. Takes the lock for a moment if it is free. */
export function lockCheck(directory: string): Check {
  const path = join(directory, LOCK_FILE)
  if (!existsSync(path)) return ok('lock', 'free: no exchange has used the directory yet')
  try {
    const lock = lockForProcess(path)
    lock?.release()
    return lock === undefined ? ok('lock', `in use by ${holderOf(path)}`) : ok('lock', 'free')
  } catch (error) {
    return fail(
      'lock',
      `${path} cannot be locked: ${reasonOf(error)}`,
      'give the user that runs Raay write access',
    )
  }
}

/** Commits to a temporary file in the directory as an exchange does; checks that each commit is synced. */
export function commitChecks(directory: string): Check[] {
  try {
    const place = mkdtempSync(join(directory, 'raay-doctor-'))
    try {
      return commitsIn(join(place, 'commits.db'))
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  } catch (error) {
    const advice =
      'choose another directory with --data: in this one an exchange could lose orders, or not start'
    return [fail('commits', `not safe: ${reasonOf(error)}`, advice)]
  }
}

function commitsIn(path: string): Check[] {
  const database = openDatabase(path)
  try {
    database.exec('CREATE TABLE commits (number INTEGER PRIMARY KEY)')
    const insert = database.prepare('INSERT INTO commits VALUES (NULL)')
    const times: number[] = []
    const end = performance.now() + COMMITS_MS_MAX
    while (times.length < COMMITS && performance.now() < end) {
      const start = performance.now()
      insert.run()
      times.push(performance.now() - start)
    }
    assertDurable(database)
    return [ok('durable', 'write-ahead log, synchronous=FULL, read back'), latency(times)]
  } finally {
    database.close()
  }
}

function latency(times: number[]): Check {
  times.sort((a, b) => a - b)
  const middle = times[Math.floor(times.length / 2)] ?? 0
  const longest = times.at(-1) ?? 0
  const median = `median of ${times.length} commits: ${middle.toFixed(2)} ms`
  const found = `${median}, longest: ${longest.toFixed(1)} ms`
  if (middle <= COMMIT_MS_SLOW) return ok('commits', found)
  return warn('commits', found, 'orders wait for the disk: use a faster one')
}

/** Returns `process 123 (node bin/raay.js start)` where the system shows it. */
function holderOf(path: string): string {
  try {
    const { ino } = statSync(path)
    const line = readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .find(text => text.includes(`:${ino} `) && text.includes('WRITE'))
    const pid = /WRITE +(\d+) /.exec(line ?? '')?.[1]
    if (pid === undefined) return 'another process'
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim()
    return `process ${pid} (${command})`
  } catch {
    return 'another process'
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
