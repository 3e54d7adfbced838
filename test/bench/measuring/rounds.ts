import type { Load, LoopResult, LoopTarget } from '../closed-loop.js'
import type { ServerChild } from '../server-child.js'
import type { Costs } from './costs.js'
import { costsBetween } from './costs.js'
import { batchLengths, lastSequence } from './journal-batches.js'
import { readMachine, shareOfOthers } from './machine.js'

/** One of the servers that are compared. */
export interface Side {
  readonly name: string
  readonly server: ServerChild
  readonly bodies: readonly string[]
}

/** One round's load on one server. Rates are of orders, latencies of requests. */
export interface Measured extends LoopResult {
  readonly orders: number
  /** Undefined where the system does not report them. */
  readonly costs: Costs | undefined
  /** The numbers of commands in the batches of the round; empty if the server keeps no journal. */
  readonly batches: readonly number[]
  /** The share of all cores that was spent on anything but the server and its load; undefined likewise. */
  readonly otherShare: number | undefined
}

export interface Rounds {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  readonly load: Load
  readonly target?: LoopTarget
  /** Orders in each request. */
  readonly length?: number
}

/** Loads each side in turn, and lets another one begin in each round. Returns the rounds of each side by its name. */
export async function measureInTurn(
  sides: readonly Side[],
  options: Rounds,
): Promise<ReadonlyMap<string, readonly Measured[]>> {
  const measured = new Map(sides.map(({ name }) => [name, [] as Measured[]]))
  for (let round = 0; round < options.rounds; round++) {
    for (let turn = 0; turn < sides.length; turn++) {
      const side = sides[(round + turn) % sides.length] as Side
      measured.get(side.name)?.push(await measure(side, options))
    }
  }
  return measured
}

async function measure({ server, bodies }: Side, options: Rounds): Promise<Measured> {
  const { load, connections, seconds, target, length = 1 } = options
  const { data, url } = server
  const [first, before] = [data === undefined ? 0 : lastSequence(data), server.costs()]
  const machine = readMachine()
  const result = await load(url, bodies, connections, seconds, target)
  const after = server.costs()
  const costs = before && after && costsBetween(before, after)
  return {
    ...result,
    perSecond: result.perSecond * length,
    orders: result.answers * length,
    costs,
    batches: data === undefined ? [] : batchLengths(data, first, lastSequence(data)),
    otherShare: machine && costs && shareOfOthers(machine, readMachine(), costs),
  }
}
