import { readFileSync, writeFileSync } from 'node:fs'

/** In the sources rather than beside the compiled code, so that failing seeds are committed. */
const FILE = new URL('../../../test/simulation/failing-seeds.json', import.meta.url)

/** A seed that once broke a rule, and the rule. */
export interface KeptSeed {
  readonly seed: number
  readonly broke: string
}

export function keptSeeds(): KeptSeed[] {
  return JSON.parse(readFileSync(FILE, 'utf8')) as KeptSeed[]
}

/** Adds a seed to those every test run replays first. */
export function keepSeed(kept: KeptSeed): void {
  const others = keptSeeds().filter(({ seed }) => seed !== kept.seed)
  const all = [...others, kept].sort((a, b) => a.seed - b.seed)
  writeFileSync(FILE, `[\n${all.map(entry => `  ${JSON.stringify(entry)}`).join(',\n')}\n]\n`)
}
