import { once } from 'node:events'
import { ServerClient } from '../fixtures/server/server-client.js'
import { Target } from './attacks/attack.js'
import { attacks } from './attacks/attacks.js'
import { Tally } from './attacks/hostile-connection.js'

/** The requests that the attacker sent, and their results. */
export interface AttackReport {
  readonly requests: number
  readonly counts: Readonly<Record<string, number>>
  readonly megabytes: number
  readonly faults: readonly string[]
}

/**
 * Prepares the attack named by the first argument, and runs it when the parent says so. The others are the
 * address, the operator's key for the preparations, and the token of a signed-in attacker.
 */
const [, , name, url = '', key = '', token] = process.argv
const attack = attacks.find(attack => attack.name === name)
if (attack === undefined) throw new Error(`there is no attack "${name}"`)
const tally = new Tally()
const target = new Target(new ServerClient(url, key), tally, token)
await attack.prepare?.(target)
process.send?.('ready')
await once(process, 'message')
await attack.run(target)
const { requests, faults } = target
const megabytes = tally.bytes / 1_000_000
process.send?.({ requests, counts: tally.counts, megabytes, faults } satisfies AttackReport)
process.disconnect?.()
