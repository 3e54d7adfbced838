import { Dice, seedOfEnvironment } from '../fixtures/dice.js'
import { cutPower } from '../fixtures/power/power-cuts.js'
import { recordingTrouble } from '../fixtures/power/recording.js'
import { readTrace } from '../fixtures/power/trace.js'
import { handOut } from './children.js'
import type { PowerReport, PowerRound } from './power-child.js'

const CHILD = new URL('./power-child.js', import.meta.url)
const ROUND_IMAGES = 250
const SHOWN_MAX = 5

type Say = (line: string) => unknown

/**
 * Cuts the power for any number of images, two rounds side by side. Each round records a new run from the next
 * seed and cuts it at many points. Every other round runs a copy of the build that checkpoints every few
 * batches. Returns true if nothing was lost.
 *
 * The cuts of a round come from its seed, but the scheduling of the server's threads is not
 * repeatable: a round that finds something keeps its trace, to be cut again with `--trace FILE` and
 * that seed.
 */
export async function provePower(images: number, trace: string | undefined, say: Say): Promise<boolean> {
  const seed = seedOfEnvironment()
  return trace === undefined ? cutMany(images, seed, say) : cutAgain(trace, seed, say)
}

async function cutAgain(trace: string, seed: number, say: Say): Promise<boolean> {
  const recording = { records: readTrace(trace), asked: new Map() }
  const report = await cutPower(recording, new Dice(seed), ROUND_IMAGES)
  const bad = sayFaults(seed, report, say)
  say(`RAAY_SEED=${seed}: ${report.images} images, ${bad} with a loss or a fault`)
  return bad === 0
}

async function cutMany(images: number, first: number, say: Say): Promise<boolean> {
  const trouble = recordingTrouble()
  if (trouble !== undefined) {
    say(`no power can be cut here: ${trouble}`)
    return false
  }
  let [taken, done, claims, bad] = [0, 0, 0, 0]
  let seed = first
  const unsynced = new Map<string, number>()
  const take = (): PowerRound | undefined => {
    if (taken >= images) return undefined
    const isSmallLog = (seed - first) % 2 === 1
    const round = { seed: seed++, images: Math.min(ROUND_IMAGES, images - taken), isSmallLog }
    taken += round.images
    return round
  }
  const report = (found: PowerReport, round: PowerRound) => {
    done += found.images
    claims += found.claims
    bad += sayFaults(round.seed, found, say)
    for (const [name, count] of found.unsynced) unsynced.set(name, (unsynced.get(name) ?? 0) + count)
    say(`RAAY_SEED=${round.seed}: ${done} images, ${claims} looked for, ${bad} with a loss or a fault`)
  }
  await handOut(CHILD, take, report)
  say(`images with unsynced changes: ${Array.from(unsynced, pair => pair.join(' ')).join(', ')}`)
  return bad === 0
}

/** Prints the first faults, if there are any; returns how many images have one. */
function sayFaults(
  seed: number,
  { losses, faults }: Pick<PowerReport, 'losses' | 'faults'>,
  say: Say,
): number {
  for (const line of [...losses, ...faults].slice(0, SHOWN_MAX)) say(`RAAY_SEED=${seed}: ${line}`)
  return losses.length + faults.length
}
