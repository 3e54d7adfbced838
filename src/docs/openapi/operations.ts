import { adminOperations } from './admin-operations.js'
import { eventOperations } from './event-operations.js'
import { namedOrderOperations } from './named-order-operations.js'
import type { Group, Operation } from './operation.js'
import { operatorOperations } from './operator-operations.js'
import { orderOperations } from './order-operations.js'
import { portfolioOperations } from './portfolio-operations.js'
import { serviceOperations } from './service-operations.js'

/** Every operation of the API. */
export const operations: readonly Operation[] = [
  ...eventOperations,
  ...orderOperations,
  ...namedOrderOperations,
  ...portfolioOperations,
  ...operatorOperations,
  ...adminOperations,
  ...serviceOperations,
]

export const groups: Readonly<Record<Group, string>> = {
  Events: 'The questions that are traded, their books and their history.',
  Orders: 'Place, cancel, amend. Prices are in INR a contract.',
  Portfolio: "A user's money and contracts.",
  "The operator's": 'With the admin token where one is set, else from the machine of the exchange only.',
  'The exchange': 'Whether it is well, and what it says of itself.',
}
