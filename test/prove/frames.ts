import { readOperatorKey } from '../../src/access/operator-key.js'
import { Dice, seedOfEnvironment } from '../fixtures/dice.js'
import { hs256Token } from '../fixtures/hs256-token.js'
import { spawnTestServer } from '../fixtures/server-process.js'
import { hostileFrames } from '../fixtures/sockets/frame-grammar.js'
import { FrameSender } from './frame-sender.js'
import type { Mode } from './fuzz.js'
import { faultsAfter, MODES } from './fuzz.js'

const SOCKETS = 20
const FRAMES_MAX = 6
const SHOWN_MAX = 10

/**
 * Sends hostile frames to the real server, a third of them in each mode, a few over each connection: messages of
 * every kind, orders among them, with and without tokens. Returns true if it gave only documented answers,
 * survived, and kept all money.
 */
export async function proveFrames(frames: number, say: (line: string) => unknown): Promise<boolean> {
  const dice = new Dice(seedOfEnvironment())
  const wrong: string[] = []
  for (const mode of ['open', 'jwt', 'accounts'] as const) {
    say(`${Math.ceil(frames / 3)} frames in ${mode} mode, RAAY_SEED=${dice.seed}`)
    wrong.push(...(await framesIn(mode, Math.ceil(frames / 3), dice)))
  }
  for (const line of wrong.slice(0, SHOWN_MAX)) say(`RAAY_SEED=${dice.seed}: ${line}`)
  return wrong.length === 0
}

async function framesIn(mode: Mode, frames: number, dice: Dice): Promise<string[]> {
  const ends: (() => unknown)[] = []
  const wrong: string[] = []
  try {
    const flags = ['--shards', '2', ...MODES[mode]]
    const server = await spawnTestServer({ teardown: end => ends.unshift(end) }, { flags })
    const codes = [await server.client.createEvent(), await server.client.createEvent()] as const
    const tokens = [undefined, readOperatorKey(server.data), ...(mode === 'jwt' ? [hs256Token('ada')] : [])]
    const sender = new FrameSender(Number(new URL(server.url).port))
    for (let sent = 0; sent < frames && wrong.length < SHOWN_MAX; ) {
      const streams = Array.from({ length: SOCKETS }, () => {
        const count = dice.between(1, FRAMES_MAX)
        sent += count
        return hostileFrames(dice, dice.oneOf(codes), count)
      })
      const faults = await Promise.all(
        streams.map(stream => sender.send(server.client, stream, tokens[dice.between(0, tokens.length - 1)])),
      )
      wrong.push(...faults.flat())
    }
    wrong.push(...(await faultsAfter(server)))
  } finally {
    for (const end of ends) await end()
  }
  return wrong
}
