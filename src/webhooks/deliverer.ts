import type { BlockList } from 'node:net'
import type { StoredWebhook } from '../access/accounts/stored-webhooks.js'
import { newSecret, secretBytes } from '../access/secrets.js'
import type { NoteWebhook } from '../core/note.js'
import type { WebhookAttempt } from '../site/webhook-deliveries.js'
import type { Notice } from '../site/webhook-notices.js'
import { bodyOf } from './chat-bodies.js'
import type { Courier } from './courier.js'
import type { Cursor, DeliveryRecord, EndpointState, Message } from './endpoint-run.js'
import { EndpointRun } from './endpoint-run.js'
import { withoutSecrets } from './endpoint-url.js'
import type { Endpoints, OpenedEndpoint } from './endpoints.js'
import { BATCH_END, isBehind, JournalFeed, JournalReader, NOTICES_FROM } from './journal-feed.js'
import type { Happening } from './journal-messages.js'
import type { MarketWatch } from './market-watch.js'
import type { Sender, Subject } from './message-bodies.js'
import { isToldAlready, kindOf, newsOf, newsOfNotice } from './news.js'
import { signedHeaders } from './webhook-secret.js'

const HOUR_MS = 3_600_000
/** The pause after something went wrong on this side. */
const PAUSE_MS = 60_000
/** How far the stored places may be behind what was received. */
const BATCHES_BEHIND_MAX = 10_000
const ANSWER_KEPT = 300
const TEST_ID_LENGTH = 21

export type Refused = 'disk_low' | 'disk_full' | 'not_leader'

/** The exchange of which endpoints hear. */
export interface WatchedExchange {
  /** The last batch that is committed and applied. */
  readonly lastSequence: () => number
  /** Notes a change in the journal; resolves to why it cannot. */
  readonly note: (note: Omit<NoteWebhook, 'id'>) => Promise<Refused | undefined>
  /** Finds an event or a group by its code. */
  readonly subject: (code: number) => Subject | undefined
}

export interface DelivererOptions {
  readonly exchange: WatchedExchange
  readonly endpoints: Endpoints
  /** Returns false while one of the two files must not be changed: then nothing is sent. */
  readonly mayWrite: () => boolean
  readonly courier: Courier
  /** Networks of the operator's own that may be reached. */
  readonly allowed: () => BlockList
  readonly sender: () => Sender
  /** Looks for what the journal does not say. */
  readonly watch: Pick<MarketWatch, 'look'>
  readonly now: () => number
  readonly log: { warn(fields: object, message: string): void }
}

/** An endpoint at work. */
interface Line {
  readonly run: EndpointRun
  readonly feed: JournalFeed
  /** Set while it sends. */
  draining: Promise<void> | undefined
  /** True if nothing waited when it was asked last. */
  hasAll: boolean
  pausedUntil: number
  markedAt: number
  testing: Promise<WebhookAttempt> | undefined
}

/** Tells the endpoints what happens, each at its own pace. */
export class Deliverer {
  readonly #options: DelivererOptions
  readonly #reader: JournalReader
  readonly #lines = new Map<string, Line>()
  #isStopped = false
  #watchesAt = 0

  constructor(options: DelivererOptions) {
    this.#options = options
    this.#reader = new JournalReader(options.courier)
    if (options.mayWrite()) options.endpoints.setBack(options.exchange.lastSequence())
  }

  /** Sends what is due; to be called each second. Resolves when all have sent what was due, never rejects. */
  async look(): Promise<void> {
    const { mayWrite, endpoints } = this.#options
    if (this.#isStopped || !mayWrite()) return
    const stored = endpoints.stored.all()
    if (stored.length === 0 && this.#lines.size === 0) return
    for (const id of this.#lines.keys()) if (!stored.some(one => one.id === id)) this.#lines.delete(id)
    this.#watch(stored)
    await Promise.all(stored.map(({ id, disabled }) => (disabled === null ? this.#drain(id) : undefined)))
  }

  /** Looks for what enabled endpoints ask for; after a failure not for a minute. */
  #watch(stored: readonly StoredWebhook[]): void {
    const { watch, now, log } = this.#options
    const pauseMs = this.#watchesAt - now()
    if (pauseMs > 0 && pauseMs <= PAUSE_MS) return
    const asking = stored.filter(({ disabled }) => disabled === null)
    try {
      watch.look(new Set(asking.flatMap(({ events }) => events)))
    } catch (err) {
      this.#watchesAt = now() + PAUSE_MS
      log.warn({ err }, 'the watch for webhooks pauses for a minute')
    }
  }

  /** Ends the thread; a request in flight is made again after the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#options.courier.close()
    await Promise.all([...this.#lines.values()].map(({ draining }) => draining))
  }

  /** Returns the last batch of which an endpoint has received everything. */
  reachedBy(stored: StoredWebhook): number {
    const { sequence } = this.#options.endpoints.placeOf(stored)
    const line = this.#lines.get(stored.id)
    return line?.hasAll === true ? Math.max(sequence, line.feed.reached ?? 0) : sequence
  }

  /** Begins once more at the stored place of an endpoint, which has changed, and at once. */
  restart(id: string): void {
    const line = this.#line(id)
    line.feed.forget()
    line.hasAll = false
    line.pausedUntil = 0
  }

  /** Sends a test event at once; one at a time for each endpoint, whose askers share it. */
  test(stored: StoredWebhook, opened: OpenedEndpoint): Promise<WebhookAttempt> {
    const line = this.#line(stored.id)
    line.testing ??= this.#test(stored, opened).finally(() => {
      line.testing = undefined
    })
    return line.testing
  }

  async #test({ id, format }: StoredWebhook, { url, secrets }: OpenedEndpoint): Promise<WebhookAttempt> {
    const { courier, allowed, now, endpoints, mayWrite, sender } = this.#options
    const begun = now()
    const message = newSecret('evt_test_').slice(0, TEST_ID_LENGTH)
    const body = bodyOf({ kind: 'test', at: begun }, format, sender())
    const headers = signedHeaders({ id: message, timestamp: Math.floor(begun / 1000), body }, secrets)
    const attempt = await courier.send({ url, headers, body }, allowed())
    const made = attemptOf({ message, kind: 'test', at: now(), ms: now() - begun, attempt }, url)
    if (mayWrite() && endpoints.stored.find(id) !== undefined) endpoints.deliveries.record(id, made)
    return made
  }

  #drain(id: string): Promise<void> {
    const { now, log, mayWrite } = this.#options
    const line = this.#line(id)
    const pauseMs = line.pausedUntil - now()
    if (pauseMs > 0 && pauseMs <= PAUSE_MS) return Promise.resolve()
    const sendAll = async () => {
      while (!this.#isStopped && mayWrite() && (await line.run.step()));
    }
    line.draining ??= sendAll()
      .catch((err: unknown) => {
        if (this.#isStopped) return
        line.pausedUntil = now() + PAUSE_MS
        log.warn({ err, webhook: id }, 'a webhook pauses for a minute')
      })
      .finally(() => {
        line.draining = undefined
      })
    return line.draining
  }

  #line(id: string): Line {
    const found = this.#lines.get(id)
    if (found !== undefined) return found
    const { courier, allowed, now, exchange } = this.#options
    const run = new EndpointRun({
      read: () => this.#read(id),
      write: (state, record) => this.#write(id, state, record),
      next: after => this.#next(id, after),
      send: delivery => courier.send(delivery, allowed()),
      now,
      random: () => secretBytes(1).readUInt8() / 255,
    })
    const line: Line = {
      run,
      feed: new JournalFeed(this.#reader, exchange.lastSequence),
      draining: undefined,
      hasAll: false,
      pausedUntil: 0,
      markedAt: Number.NEGATIVE_INFINITY,
      testing: undefined,
    }
    this.#lines.set(id, line)
    return line
  }

  async #next(id: string, after: Cursor): Promise<Message | undefined> {
    const { endpoints, exchange, sender } = this.#options
    const { subject } = exchange
    const line = this.#line(id)
    const isWanted = (happening: Happening, part: readonly Happening[]) => {
      const kind = kindOf(happening)
      const events = endpoints.stored.find(id)?.events ?? []
      return kind !== undefined && events.includes(kind) && !isToldAlready(happening, part, subject)
    }
    const found = await line.feed.next(after, isWanted)
    const stored = endpoints.stored.find(id)
    if (stored === undefined) return undefined
    const noticed = this.#noticeBehind(after, stored)
    const isNoticeFirst = noticed !== undefined && (found === undefined || isBehind(found, noticed))
    const news = isNoticeFirst ? newsOfNotice(noticed, subject) : found && newsOf(found, subject)
    const place = isNoticeFirst ? noticed : found
    line.hasAll = place === undefined
    if (place === undefined || news === undefined) {
      this.#pass(stored, line)
      return undefined
    }
    const { sequence, index } = place
    return { sequence, index, kind: news.kind, body: bodyOf(news, stored.format, sender()) }
  }

  /** Returns the first notice behind a cursor that an endpoint asks for, with its place. */
  #noticeBehind({ sequence, index }: Cursor, { events }: StoredWebhook): (Notice & Cursor) | undefined {
    const id = Math.max(0, index - NOTICES_FROM)
    const found = this.#options.endpoints.notices.next(sequence, id, events)
    return found && { ...found, index: NOTICES_FROM + found.id }
  }

  /** Moves a cursor that is far behind what was read, and wanted nothing of it. */
  #pass(stored: StoredWebhook, { feed }: Line): void {
    const { endpoints } = this.#options
    const place = endpoints.placeOf(stored)
    const { reached = 0 } = feed
    if (reached - place.sequence < BATCHES_BEHIND_MAX) return
    endpoints.deliveries.put(stored.id, { ...place, sequence: reached, position: BATCH_END })
    endpoints.stored.mark(stored.id, reached)
  }

  #read(id: string): EndpointState | undefined {
    const { endpoints } = this.#options
    const stored = endpoints.stored.find(id)
    const opened = stored && endpoints.open(stored)
    if (stored === undefined || opened === undefined) return undefined
    const { sequence, position, failures, dueAt } = endpoints.placeOf(stored)
    const cursor = { sequence, index: position }
    return { ...opened, cursor, failures, dueAt, disabled: stored.disabled ?? undefined }
  }

  #write(id: string, state: EndpointState, record: DeliveryRecord): void {
    const { endpoints, log, exchange } = this.#options
    const stored = endpoints.stored.find(id)
    if (stored === undefined) return
    const { url, failures, dueAt, disabled } = state
    const { sequence, index: position } = state.cursor
    endpoints.deliveries.record(id, attemptOf(record, url), { sequence, position, failures, dueAt })
    this.#mark(stored, sequence - 1)
    if (disabled === undefined || disabled === stored.disabled) return
    endpoints.stored.change(id, { disabled })
    const { shown, fingerprint } = stored
    log.warn({ webhook: id, url: shown, reason: disabled }, 'a webhook was disabled')
    const note = { type: 'DISABLE_WEBHOOK', webhook: id, fingerprint } as const
    exchange.note(note).catch((err: unknown) => log.warn({ err, webhook: id }, 'that is not in the journal'))
  }

  /** Notes now and then where a lost cursor would begin. */
  #mark({ id, reached }: StoredWebhook, received: number): void {
    const { now, endpoints } = this.#options
    const line = this.#line(id)
    const isDue = received - reached >= BATCHES_BEHIND_MAX || now() - line.markedAt >= HOUR_MS
    if (received <= reached || !isDue) return
    line.markedAt = now()
    endpoints.stored.mark(id, received)
  }
}

function attemptOf({ message, kind, at, ms, attempt }: DeliveryRecord, url: string): WebhookAttempt {
  const [status, answer] = 'fault' in attempt ? [null, attempt.fault] : [attempt.status, attempt.answer]
  return { message, kind, at, ms, status, answer: withoutSecrets(answer, url).slice(0, ANSWER_KEPT) }
}
