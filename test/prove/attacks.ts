import { readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { readOperatorKey } from '../../src/access/operator-key.js'
import { hs256Token, JWT_FLAGS } from '../fixtures/hs256-token.js'
import type { SpawnedServer } from '../fixtures/server-process.js'
import { spawnTestServer } from '../fixtures/server-process.js'
import type { AttackReport } from './attacker-child.js'
import type { Attack } from './attacks/attack.js'
import { MALLORY } from './attacks/attack.js'
import { attacks } from './attacks/attacks.js'
import { HEALTH_MS_MAX } from './health-limit.js'
import type { InnocentReport, Probed } from './innocent-child.js'
import { reportOf, sideProcess } from './side-process.js'

const ATTACKER = new URL('./attacker-child.js', import.meta.url)
const INNOCENT = new URL('./innocent-child.js', import.meta.url)
const ORDER_MS_MAX = 1000
/** The limit of the process's memory, as in the Limits guide. */
const RESIDENT_MB_MAX = 1000
const HEAP_MB = 1024
/** Niceness of the attacker, so that it does not compete for cores with the exchange and the client. */
const ATTACKER_NICER = 10
const NICE_MAX = 19
const SAMPLE_MS = 200

type Say = (line: string) => unknown

/**
 * Runs each attack whose name contains the words against its own exchange with a heap of 1 GB, beside an
 * honest client. Returns true if the exchange stayed fast, small and alive in all of them.
 *
 * @param isSignedIn the attacker is a trader with a token, and the limits are on
 */
export async function proveAttacks(words: string, say: Say, isSignedIn = false): Promise<boolean> {
  let isWhole = true
  say(`| Attack | sent | seen | health | order | deposit | own delay | memory, peak → after | |`)
  say('|---|---|---|---|---|---|---|---|---|')
  for (const attack of attacks.filter(({ name }) => name.includes(words))) {
    const ends: (() => unknown)[] = []
    try {
      const outcome = await withstand(attack, isSignedIn, end => ends.unshift(end))
      const faults = faultsIn(outcome)
      say(rowOf(attack, outcome, faults))
      if (faults.length > 0) isWhole = false
    } finally {
      for (const end of ends) await end()
    }
  }
  return isWhole
}

interface Outcome {
  readonly attacker: AttackReport
  readonly innocent: InnocentReport
  readonly peakMb: number
  readonly afterMb: number
  /** How the exchange's process ended when asked to stop. */
  readonly ended: number | string
  readonly fatal: string | undefined
}

async function withstand(
  { name, flags = [] }: Attack,
  isSignedIn: boolean,
  atEnd: (end: () => unknown) => void,
): Promise<Outcome> {
  const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` }
  const access = isSignedIn ? [...JWT_FLAGS, '--trusted-proxy', '127.0.0.1'] : []
  const server = await spawnTestServer({ teardown: atEnd }, { flags: [...flags, ...access], env })
  const key = readOperatorKey(server.data)
  const memory = watchMemory(server)
  atEnd(memory.stop)
  const attacker = await sideProcess(
    ATTACKER,
    [name, server.url, key, ...(isSignedIn ? [hs256Token(MALLORY)] : [])],
    atEnd,
  )
  setPriority(attacker.pid ?? 0, Math.min(NICE_MAX, getPriority() + ATTACKER_NICER))
  const innocent = await sideProcess(INNOCENT, [server.url, key], atEnd)
  const attacked = await reportOf<AttackReport>(attacker)
  const suffered = await reportOf<InnocentReport>(innocent)
  const { peakMb, lastMb } = memory.stop()
  const ended = await server.kill('SIGTERM')
  const fatal = /"msg":"([^"]*)"[^\n]*\n*$/.exec(server.stderr())?.[1]
  return { attacker: attacked, innocent: suffered, peakMb, afterMb: lastMb, ended, fatal }
}

/** Reads the kernel's figures for the process; all are 0 if it has none. */
function watchMemory({ pid }: SpawnedServer): { stop(): { peakMb: number; lastMb: number } } {
  let [peakMb, lastMb] = [0, 0]
  const sample = () => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      peakMb = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000
      lastMb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000
    } catch {
      lastMb = 0
    }
  }
  const timer = setInterval(sample, SAMPLE_MS)
  return {
    stop: () => {
      clearInterval(timer)
      return { peakMb, lastMb }
    },
  }
}

function faultsIn({ attacker, innocent, peakMb, ended, fatal }: Outcome): string[] {
  const { health, orders, deposits } = innocent
  const errors = Object.keys(attacker.counts).filter(what => /^5\d\d$/.test(what) && what !== '503')
  return [
    ...(ended === 0 ? [] : [`ended with ${ended}: ${fatal ?? 'no word'}`]),
    ...missesOf('health', health, '200', HEALTH_MS_MAX),
    ...missesOf('order', orders, '201', ORDER_MS_MAX),
    ...missesOf('deposit', deposits, '201', ORDER_MS_MAX),
    ...(peakMb > RESIDENT_MB_MAX ? [`memory above ${RESIDENT_MB_MAX} MB`] : []),
    ...errors.map(status => `answers ${status}`),
    ...attacker.faults,
  ]
}

function missesOf(what: string, { worstMs, counts }: Probed, good: string, msMax: number): string[] {
  const bad = Object.entries(counts).filter(([status]) => status !== good)
  return [
    ...(worstMs > msMax ? [`${what} late`] : []),
    ...bad.map(([status, count]) => `${what} ${status} × ${count}`),
  ]
}

function rowOf({ name }: Attack, outcome: Outcome, faults: readonly string[]): string {
  const { attacker, innocent, peakMb, afterMb } = outcome
  const seen = Object.entries(attacker.counts).map(([what, count]) => `${what} × ${count}`)
  const cells = [
    name,
    attacker.requests,
    [...seen, `${attacker.megabytes.toFixed(0)} MB`].join(', '),
    ...[innocent.health, innocent.orders, innocent.deposits].map(({ worstMs }) => `${worstMs.toFixed(0)} ms`),
    `${innocent.ownDelayMs.toFixed(0)} ms`,
    `${peakMb.toFixed(0)} → ${afterMb.toFixed(0)} MB`,
    faults.length === 0 ? 'held' : `FAILED: ${faults.join('; ')}`,
  ]
  return `| ${cells.join(' | ')} |`
}
