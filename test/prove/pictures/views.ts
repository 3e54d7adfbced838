import type { World } from './world.js'
import { PEOPLE } from './world.js'

/** One page to take pictures of. */
export interface View {
  readonly name: string
  readonly path: string
  /** Its reader: a trader by this name, or the operator. */
  readonly by: string
  /** True if nothing is at this address, which browsers note as an error. */
  readonly isMissing?: true
}

export const OPERATOR = 'operator'

/** Returns every page with something to see on it. */
export function viewsOf(world: World): View[] {
  const { trader, newcomer } = PEOPLE
  const view = (by: string) => (name: string, path: string) => ({ name, path, by })
  const traded = view(trader)
  const operated = view(OPERATOR)
  return [
    traded('home', '/'),
    traded('home-nothing-found', '/?q=nothing+like+this'),
    traded('market', `/market/${world.busy}`),
    view(newcomer)('market-new', `/market/${world.fresh}`),
    traded('market-closed', `/market/${world.closed}`),
    traded('market-resolved', `/market/${world.won}`),
    traded('market-void', `/market/${world.void}`),
    traded('portfolio', '/portfolio'),
    view(newcomer)('portfolio-empty', '/portfolio'),
    traded('portfolio-orders', '/portfolio/orders'),
    traded('portfolio-history', '/portfolio/history'),
    traded('portfolio-statement', '/portfolio/statement'),
    traded('people', '/people'),
    traded('profile', '/people/ravi'),
    traded('leaderboard', '/people'),
    traded('profile', `/people/${trader}`),
    { name: 'not-found', path: '/no/such/page', by: trader, isMissing: true },
    operated('admin-events', '/admin'),
    operated('admin-new', '/admin/new'),
    operated('admin-event', `/admin/event/${world.busy}`),
    operated('admin-settle', `/admin/event/${world.closed}`),
    operated('admin-bulk', '/admin/bulk'),
    operated('admin-users', '/admin/users'),
    operated('admin-user', `/admin/user/${trader}`),
    operated('admin-health', '/admin/health'),
    operated('admin-log', '/admin/actions'),
    view(newcomer)('guides', '/docs/guides'),
    view(newcomer)('guide', '/docs/guides/trading'),
    view(newcomer)('reference', '/docs'),
  ]
}
