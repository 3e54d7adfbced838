import { readFileSync } from 'node:fs'
import type { Costs } from './costs.js'

/** Processor time so far, in hundredths of a second. */
export interface MachineTime {
  /** Of all cores, idle or not. */
  readonly total: number
  readonly busy: number
  /** Of this process and of the children that it has waited for, such as a load generator. */
  readonly own: number
}

const TICK_US = 10_000

/** Reads the machine's time; undefined where there is no /proc, as anywhere but on Linux. */
export function readMachine(): MachineTime | undefined {
  try {
    return machineTimeIn(readFileSync('/proc/stat', 'utf8'), readFileSync('/proc/self/stat', 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * Reads the first line of /proc/stat, time by use (user, nice, system, idle, waiting for the disk, two kinds of
 * interrupts, stolen by other machines), and four fields of /proc/self/stat.
 */
export function machineTimeIn(stat: string, self: string): MachineTime {
  const uses = (stat.split('\n')[0] ?? '').trim().split(/ +/).slice(1, 9).map(Number)
  const total = sum(uses)
  const [idle = 0, waiting = 0] = uses.slice(3)
  const own = self
    .slice(self.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number)
  return { total, busy: total - idle - waiting, own: sum(own) }
}

/** Returns the share of all cores spent on anything but this process, its children and one server. */
export function shareOfOthers(
  before: MachineTime,
  after: MachineTime | undefined,
  server: Costs,
): number | undefined {
  if (after === undefined || after.total === before.total) return undefined
  const ours = after.own - before.own + sum([...server.cpuUs.values()]) / TICK_US
  return Math.max(0, after.busy - before.busy - ours) / (after.total - before.total)
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}
