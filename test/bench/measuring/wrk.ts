import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Load, LoopResult, LoopTarget } from '../closed-loop.js'
import { SINGLE_ORDERS } from '../closed-loop.js'

const SCRIPT = fileURLToPath(new URL('../../../../test/bench/measuring/requests.lua', import.meta.url))
const TIMEOUT_SECONDS = 10

/** Returns true if the load generator `wrk` is installed. It prints its usage with `-v`, and ends with 1. */
export function hasWrk(): boolean {
  return spawnSync('wrk', ['-v'], { encoding: 'utf8' }).stdout?.startsWith('wrk ') ?? false
}

/**
 * Generates the same load as `closedLoop` by `wrk`, in one thread: a request costs it about 20 µs of processor
 * time and our own client 60 to 70, on the same cores as the server.
 */
export const wrkLoad: Load = async (url, bodies, connections, seconds, target = SINGLE_ORDERS) =>
  readWrk(await printedByWrk(url, bodies, connections, seconds, target))

/** Generates more load than the server can take, and returns what it did of it, a second. */
export async function wrkOverload(
  url: string,
  bodies: readonly string[],
  connections: number,
  seconds: number,
): Promise<OverloadResult> {
  const printed = await printedByWrk(url, bodies, connections, seconds, SINGLE_ORDERS)
  const { answers, others, other, durationUs, p50Us, p99Us, late } = summaryIn(printed)
  if (others > 0 && !other.startsWith('503 ')) throw new Error(`an order was answered ${other}`)
  const rate = (count: number) => (count / durationUs) * 1e6
  return { done: rate(answers - others), refused: rate(others), p50: p50Us / 1000, p99: p99Us / 1000, late }
}

/** Orders a second; latencies of all answers in ms; requests without an answer in time. */
export interface OverloadResult {
  readonly done: number
  readonly refused: number
  readonly p50: number
  readonly p99: number
  readonly late: number
}

async function printedByWrk(
  url: string,
  bodies: readonly string[],
  connections: number,
  seconds: number,
  target: LoopTarget,
): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'raay-wrk-'))
  try {
    const file = join(directory, 'bodies')
    writeFileSync(file, `${bodies.join('\n')}\n`)
    const { stdout } = await promisify(execFile)('wrk', [
      ...['--threads', '1', '--connections', String(connections), '--duration', `${seconds}s`],
      ...['--timeout', `${TIMEOUT_SECONDS}s`, '--script', SCRIPT, url],
      ...['--', target.path, file, ...expected(target)],
    ])
    return stdout
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Returns the script's last arguments: the status and the text of a correct response. */
function expected({ status, text = '' }: LoopTarget): [status: string, text: string] {
  return [String(status), text]
}

interface Summary {
  readonly answers: number
  readonly durationUs: number
  readonly p50Us: number
  readonly p99Us: number
  /** Responses other than the expected one, and one of them. */
  readonly others: number
  readonly other: string
  /** Connections that failed. */
  readonly broken: number
  /** Requests without a response in time. */
  readonly late: number
}

/** Reads what wrk has printed. Throws unless each request had the expected response. */
export function readWrk(printed: string): LoopResult {
  const { answers, durationUs, p50Us, p99Us, others, other, broken, late } = summaryIn(printed)
  if (others > 0) throw new Error(`${others} of ${answers} requests were answered otherwise: ${other}`)
  if (broken > 0 || late > 0) throw new Error(`${broken} connections broke, ${late} answers were late`)
  if (answers === 0) throw new Error('no request was answered')
  return { answers, perSecond: (answers / durationUs) * 1e6, p50: p50Us / 1000, p99: p99Us / 1000 }
}

function summaryIn(printed: string): Summary {
  const line = printed.split('\n').find(text => text.startsWith('{'))
  if (line === undefined) throw new Error(`wrk has printed no summary: ${printed}`)
  return JSON.parse(line) as Summary
}
