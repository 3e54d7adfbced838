import { parsedOrEnd } from '../fixtures/parsed-or-end.js'
import { proveAccessKills, proveFlips } from './access.js'
import { proveAttacks } from './attacks.js'
import { proveCalls } from './calls.js'
import { proveCuts } from './cuts.js'
import { proveDeep } from './deep.js'
import { proveDifferential } from './differential.js'
import { proveFiles } from './files.js'
import { proveFrames } from './frames.js'
import { proveFuzz } from './fuzz.js'
import { proveJetstream } from './jetstream.js'
import { proveKills } from './kills.js'
import { provePages } from './pages.js'
import { provePower } from './power.js'
import { proveProjection } from './projection.js'
import { proveReplication } from './replication.js'
import { proveSimulation } from './simulation.js'
import { proveYear } from './year.js'

/**
 * Runs `npm run prove`: the tests' proofs at any length. An option chooses a proof and its size, or
 * its default size; with no option all of them run at their defaults.
 */
const { values } = parsedOrEnd({
  args: process.argv.slice(2).map((arg, index, args) => {
    const isBare = arg.startsWith('--') && !arg.includes('=') && (args[index + 1] ?? '--').startsWith('--')
    return isBare ? `${arg}=` : arg
  }),
  options: {
    calls: { type: 'string' },
    commands: { type: 'string' },
    deep: { type: 'string' },
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    jetstream: { type: 'string' },
    images: { type: 'string' },
    ladder: { type: 'string' },
    kills: { type: 'string' },
    pages: { type: 'string' },
    pictures: { type: 'string' },
    only: { type: 'string', default: '' },
    trace: { type: 'string' },
    cuts: { type: 'string' },
    files: { type: 'string' },
    attacks: { type: 'string' },
    'signed-attacks': { type: 'string' },
    fuzz: { type: 'string' },
    frames: { type: 'string' },
    projection: { type: 'string' },
    replication: { type: 'string' },
    flips: { type: 'string' },
    'access-kills': { type: 'string' },
    year: { type: 'string' },
    help: { type: 'string' },
  },
})

type Proof = readonly [
  name: string,
  asked: string | undefined,
  usual: number,
  prove: (size: number, asked: string) => boolean | Promise<boolean>,
]

const say = (line: string) => process.stdout.write(`${line}\n`)
// The driver of the browser is loaded by the two that need it: `year` counts the memory of what is loaded.
const PROOFS: readonly Proof[] = [
  ['commands', values.commands, 10_000_000, size => proveDifferential(size, say)],
  ['deep', values.deep, 200_000, size => proveDeep(size, say)],
  ['seeds', values.seeds, 1000, size => proveSimulation(size, Number(values.from), say)],
  ['images', values.images ?? (values.trace && '0'), 2000, size => provePower(size, values.trace, say)],
  ['ladder', values.ladder, 3000, async size => (await import('./ladder.js')).proveLadder(size, say)],
  ['kills', values.kills, 40, size => proveKills(size, say)],
  ['pages', values.pages, 100_000, size => provePages(size, say)],
  [
    'pictures',
    values.pictures,
    0,
    async (_, directory) =>
      (await import('./pictures/pictures.js')).provePictures(directory || 'pictures', values.only, say),
  ],
  ['calls', values.calls, 0, () => proveCalls(say)],
  ['cuts', values.cuts, 20, size => proveCuts(size, say)],
  ['files', values.files, 1000, size => proveFiles(size, values.only, say)],
  ['projection', values.projection, 1_000_000, size => proveProjection(size, say)],
  ['replication', values.replication, 3, size => proveReplication(size, say)],
  ['jetstream', values.jetstream, 1000, size => proveJetstream(size, Number(values.from), say)],
  ['flips', values.flips, 200, size => proveFlips(size, say)],
  ['access-kills', values['access-kills'], 100, size => proveAccessKills(size, say)],
  ['year', values.year, 10_000, size => proveYear(size, say)],
  ['fuzz', values.fuzz, 200_000, size => proveFuzz(size, say)],
  ['frames', values.frames, 100_000, size => proveFrames(size, say)],
  ['attacks', values.attacks, 0, (_, words) => proveAttacks(words, say)],
  ['signed-attacks', values['signed-attacks'], 0, (_, words) => proveAttacks(words, say, true)],
]

if (values.help !== undefined) {
  say('npm run prove -- [--name [size]] …: runs the proofs named, or all, at their usual sizes\n')
  for (const [name, , usual] of PROOFS) say(`  --${name}${usual > 0 ? ` ${usual}` : ''}`)
  process.exit(0)
}
const isChosen = PROOFS.some(([, asked]) => asked !== undefined)
for (const [name, asked, usual, prove] of PROOFS) {
  if (isChosen && asked === undefined) continue
  const startedAt = performance.now()
  const isWhole = await prove(asked ? Number(asked) : usual, asked ?? '')
  if (!isWhole) process.exitCode = 1
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  say(`${isWhole ? 'HELD' : 'FAILED'} --${name} ${asked || usual || ''} after ${seconds} s`)
}
