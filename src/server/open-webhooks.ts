import type { BlockList } from 'node:net'
import type { MarketCode } from '../core/units.js'
import type { Exchange } from '../exchange/exchange.js'
import type { DeskMarket } from '../exchange/markets/desk-market.js'
import type { AccountOptions } from '../http/auth/auth-door.js'
import { chanceIn } from '../http/share/market-summary.js'
import type { DataDirectory } from '../store/files/data-directory.js'
import type { Courier } from '../webhooks/courier.js'
import { CourierThread } from '../webhooks/courier.js'
import type { DelivererOptions } from '../webhooks/deliverer.js'
import { Endpoints } from '../webhooks/endpoints.js'
import type { Trouble, WatchedMarket } from '../webhooks/market-watch.js'
import { MarketWatch } from '../webhooks/market-watch.js'
import type { Sender, Subject } from '../webhooks/message-bodies.js'
import { Sealing } from '../webhooks/sealing.js'
import { Webhooks } from '../webhooks/webhooks.js'
import type { Digest } from '../webhooks/weekly-digest.js'
import type { LiveConfig } from './live-config.js'
import type { ServerFiles } from './server-files.js'
import type { VerifySchedule } from './verify-schedule.js'

const WEEK_MS = 7 * 24 * 3_600_000
const DIGEST_LINES = 5

interface WebhookParts {
  readonly files: Pick<ServerFiles, 'exchange' | 'site'> & {
    readonly directory: Pick<DataDirectory, 'path' | 'file'>
    readonly accounts: Pick<AccountOptions, 'store'>
  }
  /** Networks of the operator's own. */
  readonly allowed: () => BlockList
  /** The name of the site, its address and its language. */
  readonly sender: () => Sender
  /** Troubles of the exchange itself; none by default. */
  readonly troubles?: () => readonly Trouble[]
  readonly now: () => number
  readonly log: DelivererOptions['log']
  /** Sends and reads; by default, a thread of its own. */
  readonly courier?: Courier
}

/** Opens the webhooks. Their thread starts with the first one. */
export function openWebhooks(parts: WebhookParts): Webhooks {
  const { files, allowed, sender, now, log } = parts
  const { directory, exchange, accounts, site } = files
  const { store } = accounts
  return new Webhooks({
    exchange: {
      lastSequence: () => exchange.applied.last,
      note: note => exchange.webhookNotes.add(note),
      subject: code => subjectOf(exchange, code as MarketCode),
    },
    endpoints: new Endpoints({
      stored: store.webhooks,
      deliveries: site.webhooks,
      notices: site.notices,
      sealing: new Sealing(directory.path),
      now,
    }),
    mayWrite: () => store.file.doubt === undefined && site.file.doubt === undefined,
    courier: parts.courier ?? new CourierThread(directory.file),
    allowed,
    sender,
    watch: new MarketWatch({
      notices: site.notices,
      lastSequence: () => exchange.applied.last,
      live: code => watchedMarkets(exchange, code),
      timeZone: () => sender().timeZone,
      digest: () => digestOf(exchange, now()),
      troubles: parts.troubles ?? (() => []),
      now,
    }),
    now,
    log,
  })
}

/** Returns the events that are not over behind a code. */
function* watchedMarkets(exchange: Exchange, code: number): Iterable<WatchedMarket> {
  for (const market of exchange.directory.live(code)) {
    const { terms, progress } = market
    const isOpen = progress.status === 'open'
    const chance = isOpen ? chanceIn(market) : undefined
    yield { code: terms.code, isOpen, chance, endsAt: terms.endAt, group: terms.group }
  }
}

/** Returns the figures of the last seven days. */
function digestOf({ directory }: Exchange, at: number): Digest {
  const open: DeskMarket[] = []
  for (const market of directory.live()) if (market.progress.status === 'open') open.push(market)
  const top = [...open].sort((a, b) => b.progress.volume - a.progress.volume).slice(0, DIGEST_LINES)
  let created = directory.ended.createdSince(at - WEEK_MS)
  for (const { listing } of directory.live()) if (listing.createdAt >= at - WEEK_MS) created++
  const lines = top.map(market => {
    const { terms, listing } = market
    return { code: terms.code, title: listing.title, chance: chanceIn(market) ?? null }
  })
  return { open: open.length, created, top: lines }
}

/** Returns what messages tell of an event or a group. */
export function subjectOf(exchange: Exchange, code: MarketCode): Subject | undefined {
  const market = exchange.market(code)
  if (market !== undefined) {
    const { listing, terms } = market
    const { title, label } = listing
    const chance = chanceIn(market)
    return { code, isGroup: false, title, label, chance, endsAt: terms.endAt, group: terms.group }
  }
  const group = exchange.groups.get(code)
  if (group === undefined) return undefined
  const endsAt = group.markets.reduce((latest, { terms }) => Math.max(latest, terms.endAt), 0)
  const { title } = group.listing
  return { ...{ code, isGroup: true, title, endsAt }, label: undefined, chance: undefined, group: undefined }
}

/** Opens the webhooks of a server, which follow its configuration. */
export function liveWebhooks(
  files: WebhookParts['files'],
  live: LiveConfig,
  parts: Pick<WebhookParts, 'now' | 'log' | 'troubles'>,
): Webhooks {
  const allowed = () => live.current.webhookAllow
  const sender = () => {
    const { site, network } = live.current
    const { name, language, timeZone } = site
    return { name, language, timeZone, publicUrl: network.publicUrl }
  }
  return openWebhooks({ files, allowed, sender, ...parts })
}

/** Returns the troubles of an exchange: of its backups, of its files and of its disk. */
export function troublesOf(
  { exchange, room }: Pick<ServerFiles, 'exchange' | 'room'>,
  verifying: Pick<VerifySchedule, 'last'>,
): readonly Trouble[] {
  const { failure } = exchange.backups.newest
  const { last } = verifying
  return [
    ...(failure === undefined
      ? []
      : [{ kind: 'backup_failed', at: failure.at, detail: failure.message } as const]),
    ...(last === undefined || last.result === 'ok'
      ? []
      : [{ kind: 'verify_failed', at: last.at, detail: last.findings[0] ?? last.result } as const]),
    ...(room.state === 'ok' ? [] : [{ kind: 'disk_low', at: 0, detail: room.state } as const]),
  ]
}
