import { accountOperations } from './account-operations.js'
import { adminOperations } from './operator/admin-operations.js'
import { announcementOperations } from './operator/announcement-operations.js'
import { authOperations } from './auth-operations.js'
import { commentOperations } from './comment-operations.js'
import { eventOperations } from './event-operations.js'
import { healthOperations } from './operator/health-operations.js'
import { namedOrderOperations } from './named-order-operations.js'
import type { Group, Operation } from './operation.js'
import { operatorOperations } from './operator/operator-operations.js'
import { orderOperations } from './order-operations.js'
import { peopleOperations } from './people-operations.js'
import { portfolioOperations } from './portfolio-operations.js'
import { serviceOperations } from './service-operations.js'
import { siteOperations } from './site-operations.js'
import { templateOperations } from './operator/template-operations.js'
import { userLimitOperations } from './operator/user-limit-operations.js'

/** Every operation of the API. */
export const operations: readonly Operation[] = [
  ...eventOperations,
  ...orderOperations,
  ...namedOrderOperations,
  ...portfolioOperations,
  ...siteOperations,
  ...commentOperations,
  ...peopleOperations,
  ...authOperations,
  ...accountOperations,
  ...operatorOperations,
  ...userLimitOperations,
  ...templateOperations,
  ...healthOperations,
  ...adminOperations,
  ...announcementOperations,
  ...serviceOperations,
]

export const groups: Readonly<Record<Group, string>> = {
  Events: 'Markets, their order books, trades and candles.',
  Orders: 'Place, cancel, amend. Prices are in INR per contract.',
  Portfolio: 'Balances, positions, fills, statements and settlements.',
  People: 'Comments under events, the leaderboard, public profiles.',
  Accounts: 'Sign-up, sign-in, sessions, API keys and passkeys; accounts and the audit log of access.',
  Operator: "For operators: with the operator's key, or an account, an API key or a token with that role.",
  Service: 'Health, time, version and documentation.',
}
