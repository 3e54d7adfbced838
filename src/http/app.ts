import type { Context, MiddlewareHandler } from 'hono'
import { Hono } from 'hono'
import type { Access } from '../access/access.js'
import { DONE } from '../api/answer-texts.js'
import { ApiError } from '../api/api-error.js'
import type { Host } from '../api/operator/health-reading.js'
import { REFUSED } from '../api/refusal-texts.js'
import type { Amount, TimeMs } from '../core/units.js'
import { amountToRupees } from '../core/units.js'
import type { Exchange } from '../exchange/exchange.js'
import type { SiteStore } from '../site/site-store.js'
import type { AccountOptions } from './auth/auth-door.js'
import { authRoutes } from './auth/auth-handlers.js'
import { auditRefusal } from './auth/refusal-audit.js'
import { EventRanks } from './event-ranks.js'
import { keepMatches } from './kept-matches.js'
import type { RequestLimits } from './limits/limit-requests.js'
import { limitRequests } from './limits/limit-requests.js'
import { metricsText } from './metrics-text.js'
import { failure, success } from './middleware/envelope.js'
import type { Fault } from './middleware/error-refusal.js'
import { refusalBehind } from './middleware/error-refusal.js'
import { identifyCallers } from './middleware/identify-callers.js'
import { creationGuard, operatorGuards } from './middleware/operator-guard.js'
import { otherMethod } from './middleware/other-method.js'
import { mayNeedGuard, queryGuard, VERSION_PATH } from './middleware/query-guard.js'
import type { PageFiles } from './pages/page-files.js'
import { openPages } from './pages/page-handlers.js'
import type { SiteFacts } from './pages/site-facts.js'
import { factsView, RAAY } from './pages/site-facts.js'
import { adminRoutes } from './routes/admin-handlers.js'
import { backupRoutes } from './routes/backup-handlers.js'
import { eventEditRoutes } from './routes/event-edit-handlers.js'
import { eventRoutes } from './routes/event-handlers.js'
import { ledgerRoutes } from './routes/ledger-handlers.js'
import { marketAdminRoutes } from './routes/market-admin-handlers.js'
import { namedOrderRoutes } from './routes/named-order-handlers.js'
import { orderBatchRoutes } from './routes/order-batch-handlers.js'
import { orderChangeRoutes } from './routes/order-change-handlers.js'
import { orderListRoutes } from './routes/order-list-handlers.js'
import { orderRoutes } from './routes/order-handlers.js'
import { portfolioRoutes } from './routes/portfolio-handlers.js'
import { settlementRoutes } from './routes/settlement-handlers.js'
import { tradeRoutes } from './routes/trade-handlers.js'
import { transferRoutes } from './routes/transfer-handlers.js'
import { userListRoutes } from './routes/user-list-handlers.js'
import type { PictureMaker } from './share/pictures/picture-maker.js'
import type { Share } from './share/share-handlers.js'
import { openShare } from './share/share-handlers.js'
import { servePictures } from './site/event-image-handlers.js'
import { announcedFacts } from './site/announced-facts.js'
import { siteRoutes } from './site/site-handlers.js'

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
  /** Handles WebSocket upgrades, passes other requests on. */
  readonly upgrade: MiddlewareHandler
  /** Serves the documents; built outside this room, since they also describe WebSocket. */
  readonly docs: Hono
  /** Called with an error that no client could cause. */
  readonly fault: Fault
}

/** Links for a visitor to the bare address. */
const DOORS = {
  events: '/events',
  orders: '/order/initiate',
  websocket: '/ws',
  health: '/healthz',
  docs: '/docs',
}

/** Addresses that proxies, monitors and browsers request with arbitrary queries. */
const FREE_PATHS = ['/ws', '/healthz', '/readyz', '/metrics']

const METRICS_TYPE = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }

/** Creates the app with all routes, at `/` and again at `/api/v1`. */
export function createApp(options: AppOptions): Hono {
  const { exchange, version, access, accounts, limits, host, upgrade, docs, fault } = options
  const guards = operatorGuards(access)
  const creation = creationGuard(access, guards)
  const ranks = new EventRanks(exchange.directory, () => exchange.now())
  const routes = new Hono()
    .route('/events', eventRoutes(exchange, ranks, creation))
    .route('/events', tradeRoutes(exchange))
    .route('/events', eventEditRoutes(exchange, guards))
    .route('/events', marketAdminRoutes(exchange, guards))
    .route('/events', settlementRoutes(exchange, guards))
    .route('/order', orderBatchRoutes(exchange, fault))
    .route('/order', namedOrderRoutes(exchange))
    .route('/order', orderRoutes(exchange))
    .route('/order', orderChangeRoutes(exchange))
    .route('/order', orderListRoutes(exchange))
    .route('/portfolio', portfolioRoutes(exchange))
    .route('/portfolio', transferRoutes(exchange, guards))
    .route('/', siteRoutes(options, guards))
    .route('/portfolio', userListRoutes(exchange, accounts.store, guards))
    .route('/admin', backupRoutes(exchange, guards))
    .route('/admin', adminRoutes(exchange, guards, host, version))
    .route('/ledger', ledgerRoutes(exchange, guards))
    .route('/auth', authRoutes(access, accounts, guards))
    .route('/', docs)
    .get('/ws', upgrade, () => {
      throw new ApiError(426, REFUSED.upgradeRequired)
    })
    .route('/', aliveRoutes(options))
    .get('/metrics', guards.read, async c =>
      c.body(metricsText(await exchange.health(), host, version), 200, METRICS_TYPE),
    )
    .get('/time', c => success(c, 200, DONE.timeFetched, timeView(exchange.now())))

  const { pages, site } = options
  const look = announcedFacts(options.look ?? (() => RAAY), site.announcements)
  const share = shareOf(options, ranks)
  const opened = pages === undefined ? undefined : openPages(pages, look, share.headOf)
  const free = [...FREE_PATHS, ...docs.routes.map(({ path }) => path)]
  const assemble = (strict: Hono): Hono => {
    const app = new Hono()
      .get('/', upgrade)
      .use('/pictures/:name', servePictures(site))
      .route('/', opened?.routes ?? new Hono())
      .route('/', share.routes)
      .get('/', c =>
        success(c, 200, 'Raay, an exchange for opinion trading', aboutView({ ...options, look })),
      )
      .route('/', strict)
      .route('/', routes)
      .route(VERSION_PATH, routes)
    app.router = keepMatches(app.router)
    app.notFound(otherMethod(app, opened?.missing))
    return app.onError((error, c) => refuse(error, c, options))
  }
  const strict = new Hono().use(queryGuard(routes.routes, free, [...Object.values(guards), creation]))
  const whole = guardWhere(mayNeedGuard, assemble(strict), assemble(new Hono()))
  const identify = (app: Hono) => identifyCallers(app, access)
  return limits === undefined ? identify(whole) : limitRequests(identify, whole, access, limits)
}

/** Answers those who ask whether the process runs, and in which version. */
function aliveRoutes({ accounts, site, version }: AppOptions): Hono {
  return new Hono()
    .get('/version', c => success(c, 200, DONE.versionFetched, { version, node: process.version }))
    .get('/healthz', c => success(c, 200, 'Alive'))
    .get('/readyz', c => {
      const parts = { sign_in: accounts.store.file, site: site.file }
      const closed = Object.entries(parts).flatMap(([part, { doubt }]) => (doubt === undefined ? [] : [part]))
      return success(c, 200, 'Ready', closed.length === 0 ? undefined : { closed })
    })
}

/** Opens what links to this exchange show elsewhere. */
function shareOf(options: AppOptions, ranks: EventRanks): Share {
  const { exchange, access, pages, publicUrl, pictures, look = () => RAAY } = options
  if (pages === undefined) return { routes: new Hono(), headOf: () => undefined }
  const isPublic = () => access.publicReads
  const fallback = pages.assets.get('share.png')?.plain.bytes
  return openShare({ exchange, ranks, site: look, publicUrl, isPublic, pictures, fallback })
}

/** Returns what a visitor to the bare address may want to know. */
function aboutView({ version, look = () => RAAY, startingBalance, isDemo = false }: AppOptions) {
  return {
    version,
    ...DOORS,
    ...factsView(look()),
    ...(startingBalance !== undefined && { starting_balance: amountToRupees(startingBalance) }),
    ...(isDemo && { demo: true }),
  }
}

/** Answers a request that failed, and records it in the audit log if the caller lacks a right. */
function refuse(error: Error, c: Context, { accounts, fault }: AppOptions): Response {
  const refusal = refusalBehind(error, fault, c)
  auditRefusal(accounts.store.audit, c, refusal)
  return failure(c, refusal)
}

/**
 * Returns an app that passes a request to the guarded app only if there may be something to guard: behind a
 * guard a handler runs asynchronously, which costs microseconds per request.
 */
function guardWhere(isNeeded: (url: string) => boolean, guarded: Hono, bare: Hono): Hono {
  const { fetch } = guarded
  guarded.fetch = (request, ...rest) =>
    isNeeded(request.url) ? fetch(request, ...rest) : bare.fetch(request, ...rest)
  return guarded
}

function timeView(now: TimeMs): { readonly time: string; readonly epoch_ms: number } {
  return { time: new Date(now).toISOString(), epoch_ms: now }
}
