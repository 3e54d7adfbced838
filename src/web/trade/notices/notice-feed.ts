import type { UserMessage } from '../../../client/shapes.js'
import type { Notice } from './notice.js'
import type { NoticeLog } from './notice-log.js'
import { addTo, emptyLog } from './notice-log.js'
import type { NoticeMaker } from './notice-maker.js'

/** The most messages read again for a visitor who was long away; the portfolio’s history has the rest. */
const MISSED_MAX = 2000
/** Messages that wait while earlier ones are read; beyond, they are read again later. */
const WAITING_MAX = 1000

interface Surroundings {
  readonly maker: NoticeMaker
  /** Returns what is stored, also by other tabs. */
  load(): NoticeLog | undefined
  store(log: NoticeLog): void
  /** Called with each notice of a message that has just arrived, not with missed ones. */
  announce(notice: Notice): void
  /** Reads the messages after one number up to another; perhaps only the first of them. */
  readMissed(after: number, upTo: number): Promise<readonly UserMessage[]>
  /** Resolves some time later. */
  pause(): Promise<void>
}

/** Takes the messages of a user’s channel, each once, from the last one that this browser knows. */
export class NoticeFeed {
  readonly #around: Surroundings
  #waiting: UserMessage[] = []
  /** The last message taken; undefined until the exchange has said where its channel is. */
  #taken: number | undefined
  #head = 0
  #made: Notice[] = []
  #isPumping = false
  #isOver = false

  constructor(around: Surroundings) {
    this.#around = around
  }

  /** Begins at the last message of the channel: reads what was missed before it. */
  begin(seq: number): void {
    const stored = this.#around.load()
    // An exchange that was restored counts from an earlier number.
    const log = stored === undefined || stored.seq > seq ? emptyLog(seq) : stored
    this.#around.store(log)
    this.#waiting = []
    this.#taken = Math.max(log.seq, seq - MISSED_MAX)
    this.#head = seq
    void this.#pump()
  }

  hear(message: UserMessage): void {
    if (message.type === 'snapshot') {
      this.begin(message.user_seq)
      return
    }
    this.#head = message.user_seq
    if (this.#waiting.length < WAITING_MAX) this.#waiting.push(message)
    else this.#waiting = []
    void this.#pump()
  }

  close(): void {
    this.#isOver = true
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return
    this.#isPumping = true
    while (!this.#isOver && this.#taken !== undefined && this.#taken < this.#head) {
      const [next] = this.#waiting
      if (next === undefined || next.user_seq > this.#taken + 1) await this.#readOn(this.#taken, next)
      else {
        this.#waiting.shift()
        if (next.user_seq > this.#taken) await this.#take(next, false)
      }
    }
    this.#isPumping = false
  }

  async #readOn(after: number, next: UserMessage | undefined): Promise<void> {
    const upTo = next === undefined ? this.#head : next.user_seq - 1
    const missed = await this.#around.readMissed(after, upTo)
    for (const message of missed) await this.#take(message, true)
    if (missed.length === 0) await this.#around.pause()
  }

  async #take(message: UserMessage, isMissed: boolean): Promise<void> {
    const { maker, load, store, announce } = this.#around
    const notices = await maker.take(message)
    if (this.#isOver) return
    this.#taken = message.user_seq
    for (const notice of notices) this.#made.push(notice)
    if (!isMissed) {
      for (const notice of notices) {
        try {
          announce(notice)
        } catch {
          // Some browsers throw at a notification or a sound; the bell has the notice all the same.
        }
      }
    }
    // A page that ended between a fill and its order would say nothing of the fill.
    if (maker.isBetween) return
    store(addTo(load() ?? emptyLog(message.user_seq - 1), message.user_seq, this.#made))
    this.#made = []
  }
}
