import type { Context, MiddlewareHandler, Hono } from 'hono'
import type { Access } from '../access/access.js'
import { mayReadMarkets } from '../access/rights.js'
import { DONE } from '../api/answer-texts.js'
import { ApiError } from '../api/api-error.js'
import { adminRoutes } from '../api/operator/admin-routes.js'
import type { Host, Standing } from '../api/operator/health-reading.js'
import { REFUSED } from '../api/refusal-texts.js'
import { serviceRoutes } from '../api/service/service-routes.js'
import type { Amount, TimeMs } from '../core/units.js'
import { amountToRupees } from '../core/units.js'
import type { Exchange } from '../exchange/exchange.js'
import type { SiteStore } from '../site/site-store.js'
import type { Webhooks } from '../webhooks/webhooks.js'
import type { AccountOptions } from './auth/auth-door.js'
import { authHandlers } from './auth/auth-handlers.js'
import { auditRefusal } from './auth/refusal-audit.js'
import { EventRanks } from './event-ranks.js'
import type { RequestLimits } from './limits/request-charge.js'
import { metricsText } from './metrics-text.js'
import { failure, success } from './middleware/envelope.js'
import type { Fault } from '../doors/error-refusal.js'
import { refusalBehind } from '../doors/error-refusal.js'
import type { PageFiles } from './pages/page-files.js'
import { openPages } from './pages/page-handlers.js'
import type { SiteFacts } from './pages/site-facts.js'
import { factsView, RAAY } from './pages/site-facts.js'
import { adminHandlers, backupHandlers } from './routes/admin-handlers.js'
import { eventEditHandlers } from './routes/event-edit-handlers.js'
import { eventHandlers } from './routes/event-handlers.js'
import { groupHandlers } from './routes/group-handlers.js'
import { seasonHandlers } from './routes/season-handlers.js'
import { groupAdminHandlers } from './operator/group-admin-handlers.js'
import { liquidityHandlers } from './operator/liquidity-handlers.js'
import { webhookHandlers } from './operator/webhook-handlers.js'
import { ledgerHandlers } from './routes/ledger-handlers.js'
import { marketAdminHandlers } from './routes/market-admin-handlers.js'
import { orderHandlers } from './routes/order-handlers.js'
import { orderListHandlers } from './routes/order-list-handlers.js'
import { portfolioHandlers } from './routes/portfolio-handlers.js'
import { settlementHandlers } from './routes/settlement-handlers.js'
import { tradeHandlers } from './routes/trade-handlers.js'
import { transferHandlers } from './routes/transfer-handlers.js'
import { userListHandlers } from './routes/user-list-handlers.js'
import type { Binding, Call } from './routing/handle.js'
import { handle } from './routing/handle.js'
import { RouteTable } from './routing/route-table.js'
import type { Revocations } from './routing/serve.js'
import { appServing } from './routing/serve.js'
import type { PictureMaker } from './share/pictures/picture-maker.js'
import type { Share } from './share/share-handlers.js'
import { openShare } from './share/share-handlers.js'
import { announcedFacts, factsForVisitors } from './site/announced-facts.js'
import { pictureHandler } from './site/event-image-handlers.js'
import { siteHandlers } from './site/site-handlers.js'

export interface AppOptions {
  readonly exchange: Exchange
  readonly version: string
  /** Identifies the callers. */
  readonly access: Access
  /** Accounts and their credentials. */
  readonly accounts: AccountOptions
  /** Settings, watchlists and all else that people put on the site. */
  readonly site: SiteStore
  readonly host: Host
  readonly webhooks: Webhooks
  /** The built pages for browsers; without them the app serves programs only. */
  readonly pages?: PageFiles
  /** The name and the look of the pages, which a reload may change. */
  readonly look?: () => SiteFacts
  /** The address that users type, for links to the pages. */
  readonly publicUrl?: string | undefined
  /** Draws the pictures of shared links. */
  readonly pictures?: PictureMaker
  /** Initial balance of a new user, shown on pages before there is an account. */
  readonly startingBalance?: Amount
  /** True for an exchange of make-believe, traded by bots. */
  readonly isDemo?: boolean
  /** Limits requests; absent where clients are neither limited nor behind proxies. */
  readonly limits?: RequestLimits | undefined
  /** The log to which changes of accounts go; undefined without one. */
  readonly replicated?: Revocations | undefined
  /** Handles WebSocket upgrades, passes other requests on. */
  readonly upgrade: MiddlewareHandler
  /** Serves the documents; built outside this room, since they also describe WebSocket. */
  readonly docs: readonly Binding[]
  /** Called with an error that no client could cause. */
  readonly fault: Fault
  /** Further routes. */
  readonly more?: readonly Binding[]
}

/** The facts of the site. */
interface Looks {
  /** For those who may read markets. */
  readonly whole: () => SiteFacts
  /** For everybody. */
  readonly look: () => SiteFacts
}

/** Links for a visitor to the bare address. */
const DOORS = {
  events: '/events',
  orders: '/order/initiate',
  websocket: '/ws',
  health: '/healthz',
  docs: '/docs',
}

const METRICS_TYPE = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }

/** The routes of the exchange, and what answers their requests. */
export interface App {
  readonly table: RouteTable
  readonly hono: Hono
}

/** Creates the app with all routes, at `/` and again at `/api/v1`. */
export function createApp(options: AppOptions): App {
  const { exchange, access, limits, pages, site } = options
  const ranks = new EventRanks(exchange.directory, () => exchange.now())
  const whole = announcedFacts(options.look ?? (() => RAAY), site.announcements)
  const look = factsForVisitors(whole, access)
  const share = shareOf(options, ranks)
  const opened = pages === undefined ? undefined : openPages(pages, look, share.headOf)
  const table = new RouteTable([
    ...tradingHandlers(options, ranks),
    ...operatorHandlers(options),
    ...siteHandlers(options),
    ...authHandlers(access, options.accounts, () => exchange.leads),
    ...serviceHandlers(options, { whole, look }),
    ...options.docs,
    pictureHandler(site, access),
    ...(opened?.handlers ?? []),
    ...share.handlers,
    ...(options.more ?? []),
  ])
  const { replicated } = options
  const hono = appServing({ table, exchange, access, limits, replicated, missing: opened?.missing })
  return { table, hono: hono.onError((error, c) => refuse(error, c, options)) }
}

function tradingHandlers({ exchange, fault, site }: AppOptions, ranks: EventRanks): Binding[] {
  return [
    ...eventHandlers(exchange, ranks),
    ...groupHandlers(exchange, site.images),
    ...seasonHandlers(exchange),
    ...tradeHandlers(exchange),
    ...orderHandlers(exchange, fault),
    ...orderListHandlers(exchange),
    ...portfolioHandlers(exchange),
  ]
}

function operatorHandlers({ exchange, accounts, host, version, webhooks }: AppOptions): Binding[] {
  return [
    ...eventEditHandlers(exchange),
    ...marketAdminHandlers(exchange),
    ...groupAdminHandlers(exchange),
    ...liquidityHandlers(exchange),
    ...settlementHandlers(exchange),
    ...transferHandlers(exchange),
    ...userListHandlers(exchange, accounts.store),
    ...backupHandlers(exchange),
    ...adminHandlers(exchange, host, version),
    ...ledgerHandlers(exchange),
    ...webhookHandlers(webhooks),
    handle(adminRoutes.getMetrics, async ({ c }) =>
      c.body(metricsText(await exchange.health(), host, version), 200, METRICS_TYPE),
    ),
  ]
}

/** Answers those who ask what this is, and whether the process runs, in which version. */
function serviceHandlers(options: AppOptions, looks: Looks): Binding[] {
  const { exchange, accounts, site, host, version, upgrade } = options
  return [
    handle(serviceRoutes.getDoors, async call => {
      const upgraded = await upgradeBy(upgrade, call)
      return (
        upgraded ??
        success(call, 200, 'Raay, an exchange for opinion trading', aboutView(options, looks, call))
      )
    }),
    handle(serviceRoutes.openWebSocket, async call => {
      const upgraded = await upgradeBy(upgrade, call)
      if (upgraded === undefined) throw new ApiError(426, REFUSED.upgradeRequired)
      return upgraded
    }),
    handle(serviceRoutes.getVersion, call =>
      success(call, 200, DONE.versionFetched, { version, node: process.version }),
    ),
    handle(serviceRoutes.getHealth, call => success(call, 200, 'Alive')),
    handle(serviceRoutes.getReadiness, call => {
      if (host.isBehind()) throw new ApiError(503, behindText(host.standing()), 'behind')
      const parts = { sign_in: accounts.store.file, site: site.file }
      const closed = Object.entries(parts).flatMap(([part, { doubt }]) => (doubt === undefined ? [] : [part]))
      return success(call, 200, 'Ready', closed.length === 0 ? undefined : { closed })
    }),
    handle(serviceRoutes.getTime, call => success(call, 200, DONE.timeFetched, timeView(exchange.now()))),
  ]
}

/** Turns a request into a WebSocket; undefined if it does not ask for one. */
async function upgradeBy(upgrade: MiddlewareHandler, { c }: Call): Promise<Response | undefined> {
  return (await upgrade(c, async () => {})) ?? undefined
}

/** Opens what links to this exchange show elsewhere. */
function shareOf(options: AppOptions, ranks: EventRanks): Share {
  const { exchange, access, pages, publicUrl, pictures, look = () => RAAY } = options
  if (pages === undefined) return { handlers: [], headOf: () => undefined }
  const fallback = pages.assets.get('share.png')?.plain.bytes
  return openShare({ exchange, ranks, site: look, publicUrl, access, pictures, fallback })
}

/** Returns what a visitor to the bare address may want to know; what is for members, to members. */
function aboutView(
  { access, version, startingBalance, isDemo = false }: AppOptions,
  { whole, look }: Looks,
  { caller }: Call,
) {
  const about = { version, ...DOORS }
  if (!mayReadMarkets(caller, access)) return { ...about, ...factsView(look()) }
  return {
    ...about,
    ...factsView(whole()),
    ...(startingBalance !== undefined && { starting_balance: amountToRupees(startingBalance) }),
    ...(isDemo && { demo: true }),
  }
}

/** Answers a request that failed, and records it in the audit log if the caller lacks a right. */
function refuse(error: Error, c: Context, { accounts, fault }: AppOptions): Response {
  const refusal = refusalBehind(error, fault, requestIdIn(c))
  auditRefusal(accounts.store.audit, c, refusal)
  return failure(c, refusal)
}

/** Returns the id that the server has given the request; undefined without a server. */
function requestIdIn(c: Context): string | undefined {
  const { outgoing } = (c.env ?? {}) as { readonly outgoing?: { readonly requestId?: string } }
  return outgoing?.requestId
}

/** Returns why a standby is not ready. Operators find the reason of a log that fails in the health. */
function behindText({ logEnd, lagMs }: Standing): string {
  if (logEnd === undefined) return REFUSED.logUnheard
  return `This standby has not had all of its log for ${Math.round(lagMs / 1000)} s`
}

function timeView(now: TimeMs): { readonly time: string; readonly epoch_ms: number } {
  return { time: new Date(now).toISOString(), epoch_ms: now }
}
