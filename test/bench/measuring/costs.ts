import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A process's costs since its start. */
export interface Costs {
  /** Microseconds of processor time by thread: `main`, the worker files' names, and `others`. */
  readonly cpuUs: ReadonlyMap<string, number>
  /** Bytes sent to the disk; undefined where the kernel does not count them. */
  readonly writtenBytes: number | undefined
}

export const MAIN = 'main'
export const OTHERS = 'others'

/** A thread's processor time is counted in hundredths of a second in `stat` (proc(5)). */
const TICK_US = 10_000

/**
 * Reads the costs of a process; undefined where there is no /proc, as anywhere but on Linux. A directory has
 * a file for each named thread: see thread-names.cts.
 */
export function readCosts(pid: number, names: string): Costs | undefined {
  const tasks = `/proc/${pid}/task`
  if (!existsSync(tasks)) return undefined
  const cpuUs = new Map<string, number>()
  for (const task of readdirSync(tasks)) {
    const name = Number(task) === pid ? MAIN : (textOf(join(names, task)) ?? OTHERS)
    const us = cpuUsIn(textOf(join(tasks, task, 'schedstat')), textOf(join(tasks, task, 'stat')))
    cpuUs.set(name, (cpuUs.get(name) ?? 0) + us)
  }
  return { cpuUs, writtenBytes: writtenBytesIn(textOf(`/proc/${pid}/io`)) }
}

/** Returns what has been spent in between. A thread that has ended meanwhile counts as nothing. */
export function costsBetween(before: Costs, after: Costs): Costs {
  const cpuUs = new Map<string, number>()
  for (const [name, us] of after.cpuUs) cpuUs.set(name, Math.max(0, us - (before.cpuUs.get(name) ?? 0)))
  const isCounted = before.writtenBytes !== undefined && after.writtenBytes !== undefined
  return { cpuUs, writtenBytes: isCounted ? after.writtenBytes - before.writtenBytes : undefined }
}

/**
 * Returns a thread's processor time: the first number of `schedstat`, in nanoseconds, or where the kernel does
 * not keep it, the 14th and 15th field of `stat`. The second field of that, a name, may hold anything.
 */
export function cpuUsIn(schedstat: string | undefined, stat: string | undefined): number {
  const nanoseconds = Number(schedstat?.split(' ')[0] ?? 0)
  if (nanoseconds > 0) return nanoseconds / 1000
  if (stat === undefined) return 0
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) * TICK_US
}

/** Returns what a process has sent to the disk, less what was deleted before it got there. */
export function writtenBytesIn(io: string | undefined): number | undefined {
  const written = /^write_bytes: (\d+)$/m.exec(io ?? '')?.[1]
  const cancelled = /^cancelled_write_bytes: (\d+)$/m.exec(io ?? '')?.[1]
  return written === undefined ? undefined : Number(written) - Number(cancelled ?? 0)
}

/** Returns undefined if the file is gone or may not be read. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
