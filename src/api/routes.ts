import { accountRoutes } from './auth/account-routes.js'
import { adminRoutes } from './operator/admin-routes.js'
import { announcementRoutes } from './operator/announcement-routes.js'
import { authRoutes } from './auth/auth-routes.js'
import { commentRoutes } from './site/comment-routes.js'
import { eventRoutes } from './events/event-routes.js'
import { groupRoutes } from './groups/group-routes.js'
import { healthRoutes } from './operator/health-routes.js'
import { liquidityRoutes } from './operator/liquidity-routes.js'
import { namedOrderRoutes } from './orders/named-order-routes.js'
import type { Group, Route } from './route.js'
import { operatorRoutes } from './operator/operator-routes.js'
import { orderRoutes } from './orders/order-routes.js'
import { seasonRoutes } from './seasons/season-routes.js'
import { activityRoutes } from './site/activity-routes.js'
import { peopleRoutes } from './site/people-routes.js'
import { portfolioRoutes } from './portfolio/portfolio-routes.js'
import { serviceRoutes } from './service/service-routes.js'
import { siteRoutes } from './site/site-routes.js'
import { templateRoutes } from './operator/template-routes.js'
import { previewRoutes } from './orders/preview-routes.js'
import { quoteRoutes } from './orders/quote-routes.js'
import { timerRoutes } from './orders/timer-routes.js'
import { userLimitRoutes } from './operator/user-limit-routes.js'
import { webhookRoutes } from './operator/webhook-routes.js'

/** Every route of the API, in the order of the documents. */
export const routes: readonly Route[] = [
  ...Object.values<Route>(eventRoutes),
  ...Object.values<Route>(orderRoutes),
  ...Object.values<Route>(namedOrderRoutes),
  ...Object.values<Route>(timerRoutes),
  ...Object.values<Route>(previewRoutes),
  ...Object.values<Route>(quoteRoutes),
  ...Object.values<Route>(portfolioRoutes),
  ...Object.values<Route>(groupRoutes),
  ...Object.values<Route>(siteRoutes),
  ...Object.values<Route>(commentRoutes),
  ...Object.values<Route>(peopleRoutes),
  ...Object.values<Route>(seasonRoutes),
  ...Object.values<Route>(activityRoutes),
  ...Object.values<Route>(authRoutes),
  ...Object.values<Route>(accountRoutes),
  ...Object.values<Route>(operatorRoutes),
  ...Object.values<Route>(liquidityRoutes),
  ...Object.values<Route>(userLimitRoutes),
  ...Object.values<Route>(templateRoutes),
  ...Object.values<Route>(webhookRoutes),
  ...Object.values<Route>(healthRoutes),
  ...Object.values<Route>(adminRoutes),
  ...Object.values<Route>(announcementRoutes),
  ...Object.values<Route>(serviceRoutes),
]

export const groups: Readonly<Record<Group, string>> = {
  Events: 'Markets, their order books, trades and candles.',
  Orders: 'Place, cancel, amend. Prices are in INR per contract.',
  Portfolio: 'Balances, positions, fills, statements and settlements.',
  People: 'Comments, recent trades, the leaderboard and public profiles.',
  Accounts: 'Sign-up, sign-in, sessions, API keys and passkeys; accounts and the audit log of access.',
  Operator: "For operators: with the operator's key, or an account, an API key or a token with that role.",
  Webhooks: 'For operators: other servers and chats that hear what happens.',
  Service: 'Health, time, version and documentation.',
}
