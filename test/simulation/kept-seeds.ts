import { readFileSync, writeFileSync } from 'node:fs'

/** In the sources, not beside the compiled code: what failed once belongs to the repository. */
const FILE = new URL('../../../test/simulation/failing-seeds.json', import.meta.url)

/** A seed under which a rule did not hold once, and which. */
export interface KeptSeed {
  readonly seed: number
  readonly broke: string
}

export function keptSeeds(): KeptSeed[] {
  return JSON.parse(readFileSync(FILE, 'utf8')) as KeptSeed[]
}

/** Adds a seed to those that every test run plays first. */
export function keepSeed(kept: KeptSeed): void {
  const others = keptSeeds().filter(({ seed }) => seed !== kept.seed)
  const all = [...others, kept].sort((a, b) => a.seed - b.seed)
  writeFileSync(FILE, `[\n${all.map(entry => `  ${JSON.stringify(entry)}`).join(',\n')}\n]\n`)
}
