import type { Attack } from './attack.js'
import { connectionAttacks } from './connection-attacks.js'
import { orderAttacks } from './order-attacks.js'
import { pageAttacks } from './page-attacks.js'
import { socketAttacks } from './socket-attacks.js'

/** Nothing at all: what the machine itself does to an innocent client. */
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
  ...connectionAttacks,
]
