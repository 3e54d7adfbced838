import type { Attack } from './attack.js'
import { bodyAttacks } from './body-attacks.js'
import { connectionAttacks } from './connection-attacks.js'
import { orderAttacks } from './order-attacks.js'
import { pageAttacks } from './page-attacks.js'
import { socketAttacks } from './socket-attacks.js'

/** Does nothing, to measure the effect of the machine itself on an innocent client. */
const nobody: Attack = {
  name: 'nobody',
  run: () => new Promise(resolve => setTimeout(resolve, 5000)),
}

/** Every attack, in the order in which they run. */
export const attacks: readonly Attack[] = [
  nobody,
  ...socketAttacks,
  ...pageAttacks,
  ...orderAttacks,
  ...bodyAttacks,
  ...connectionAttacks,
]
