import { computed, effect, signal, untracked } from '@preact/signals'
import type { UserMessage } from '../../../client/shapes.js'
import { nowMs } from '../../kit/browser-clock.js'
import { exchange, isFromThisPage } from '../exchange-client.js'
import { userId } from '../session.js'
import { fetchTerms } from '../titles.js'
import { announce } from './announcing.js'
import type { Socket } from './missed-messages.js'
import { readMissed } from './missed-messages.js'
import { NoticeFeed } from './notice-feed.js'
import type { NoticeLog } from './notice-log.js'
import { sharedStorage } from '../../kit/browser-memory.js'
import { addBetween, isOverwritten, joined, readLog, seenAll } from './notice-log.js'
import { NoticeMaker } from './notice-maker.js'
import { watchMentions } from './mention-watch.js'
import { watchStatuses } from './status-watch.js'

const RETRY_MS = 5000
const TEXT_LENGTH_MAX = 100
const OVER: readonly string[] = ['resolved', 'settled', 'voided']

/** The current user’s notices; undefined until their channel is known. */
export const noticeLog = signal<NoticeLog | undefined>(undefined)

/** Follows the channel of the current user. */
export function startNotices(): void {
  effect(() => {
    const name = userId.value
    return untracked(() => {
      noticeLog.value = undefined
      return name === undefined ? undefined : follow(name)
    })
  })
}

/** Marks all notices as seen, in every tab of this browser. */
export function markSeen(): void {
  const name = userId.peek()
  if (name === undefined || noticeLog.peek() === undefined) return
  const log = currentLog(name)
  if (log !== undefined) keepLog(name, seenAll(log))
}

function follow(userid: string): () => void {
  const feed = new NoticeFeed({
    maker: new NoticeMaker({
      isOwn: isFromThisPage,
      payoutOf: async eventId => (await fetchTerms(eventId))?.payout,
      settlementOf: eventId => findSettlement(userid, eventId).catch(() => undefined),
    }),
    load: () => currentLog(userid),
    store: log => keepLog(userid, log),
    announce,
    readMissed: async (after, upTo) => {
      const missed: UserMessage[] = []
      await readMissed(openSocket, { userid, after, upTo }, message => missed.push(message))
      return missed
    },
    pause: () => new Promise(resolve => setTimeout(resolve, RETRY_MS)),
  })
  const watch = exchange.watchMessages(
    { userid },
    { onUpdate: message => feed.hear(message), onError: () => feed.close() },
  )
  if (watch.state !== undefined) feed.begin(watch.state)
  const tell = (news: object) => {
    const log = currentLog(userid)
    if (log === undefined) return
    const [added, notice] = addBetween(log, nowMs(), news)
    keepLog(userid, added)
    announce(notice)
  }
  const stopStatuses = watchStatuses(userid, change => tell({ kind: 'status', ...change }))
  const hasLog = computed(() => noticeLog.value !== undefined)
  const stopMentions = effect(() => {
    if (!hasLog.value) return undefined
    return untracked(() =>
      watchMentions(userid, ({ event_id: eventId, userid: by, text }) =>
        tell({ kind: 'mentioned', eventId, by, text: shortened(text ?? '') }),
      ),
    )
  })
  const adopt = ({ key }: StorageEvent) => {
    const own = noticeLog.peek()
    if (key !== noticeKey(userid) || own === undefined) return
    const stored = storedLog(userid)
    const log = joined(own, stored)
    noticeLog.value = log
    if (stored && isOverwritten(log, stored)) keepLog(userid, log)
  }
  addEventListener('storage', adopt)
  return () => {
    feed.close()
    stopStatuses()
    stopMentions()
    removeEventListener('storage', adopt)
    watch.close()
  }
}

/** Returns the beginning of a comment in one line. */
function shortened(text: string): string {
  const line = [...text.replaceAll(/\s+/g, ' ')]
  return line.length <= TEXT_LENGTH_MAX ? line.join('') : `${line.slice(0, TEXT_LENGTH_MAX).join('')}…`
}

async function findSettlement(userid: string, eventId: string) {
  // Contracts are sold far more often than events end.
  const { status } = await exchange.fetchMarket(eventId)
  if (!OVER.includes(status)) return undefined
  const [settlement] = await exchange.fetchSettlements({ userid, event_id: eventId })
  return settlement
}

function openSocket(): Socket {
  return new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws`) as unknown as Socket
}

/** Returns what this tab and the others know; undefined if neither knows anything. */
function currentLog(userid: string): NoticeLog | undefined {
  const own = noticeLog.peek()
  const stored = storedLog(userid)
  return own === undefined ? stored : joined(own, stored)
}

function storedLog(userid: string): NoticeLog | undefined {
  return readLog(sharedStorage.read(noticeKey(userid)))
}

/** Shows a log, and stores it for the other tabs; without storage it lasts as long as the page. */
function keepLog(userid: string, log: NoticeLog): void {
  noticeLog.value = log
  sharedStorage.write(noticeKey(userid), JSON.stringify(log))
}

function noticeKey(userid: string): string {
  return `raay.notices.${userid}`
}
