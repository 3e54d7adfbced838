import { Worker } from 'node:worker_threads'
import type { Companion } from '../../store/companions/companion.js'
import type { Held, Outbox } from '../../store/companions/companion-outbox.js'
import type { Companion as CompanionName } from '../../store/files/companion-files.js'
import { ReplicaError } from '../replication-error.js'
import type { PackNews, PackOrder, PackThreadData } from './companion-messages.js'

const ENTRY = new URL('./pack-thread.js', import.meta.url)
/** How long a revocation is answered after its line; then the answer says that it is not replicated. */
const WAIT_MS = 5000
/** How often it is noted what the log has: a start after a crash sends what is not. */
const NOTE_MS = 1000

/** The thread that brings packs to a log, or the side of it that a test plays. */
export interface PackThread {
  order(order: PackOrder): void
  close(): Promise<void>
}

interface ReplicaOptions extends Omit<PackThreadData, 'startedAt'> {
  readonly now: () => number
  readonly warn: (message: string) => void
  /** Called if the exchange must stop: another one went on in its place, or the log cannot be followed. */
  readonly fail: (error: Error) => void
}

/** The companions of an exchange, and what is to be done where another one has changed them. */
export interface ReplicatedFiles {
  readonly companions: Readonly<Record<CompanionName, Companion>>
  readonly followed: (companion: CompanionName, tables: readonly string[]) => void
}

interface Waiter {
  readonly number: number
  readonly done: (isHeld: boolean) => void
}

/** A companion whose changes go to the log. */
interface Sent {
  readonly outbox: Outbox
  held: Held
  noted: number
}

/** Sends what changes in accounts and site to a log, or takes it from there. */
export class CompanionReplica {
  readonly #thread: PackThread
  readonly #now: () => number
  readonly #setTimer: (act: () => void, ms: number) => () => void
  readonly #sent = new Map<CompanionName, Sent>()
  readonly #failures = new Map<CompanionName, { readonly at: number; readonly message: string }>()
  /** Why it could not be written down what the log has. */
  #noteFailure: { readonly at: number; readonly message: string } | undefined
  #waiters: Waiter[] = []
  #files: ReplicatedFiles | undefined
  #cancelNote: (() => void) | undefined
  #led: (() => void) | undefined

  /** @param setTimer calls back once some time has passed, unless it is cancelled */
  constructor(thread: PackThread, now: () => number, setTimer = afterwards) {
    this.#thread = thread
    this.#now = now
    this.#setTimer = setTimer
  }

  /**
   * Starts the thread; resolves once the files have what the log has. Nothing has them open. Rejects if the
   * log cannot be used.
   */
  static open({ now, warn, fail, ...given }: ReplicaOptions): Promise<CompanionReplica> {
    const workerData: PackThreadData = { ...given, startedAt: now() }
    const worker = new Worker(ENTRY, { workerData })
    const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()))
    let isClosing = false
    const thread: PackThread = {
      order: order => worker.postMessage(order),
      close: async () => {
        isClosing = true
        worker.postMessage({ kind: 'close' } satisfies PackOrder)
        await ended
      },
    }
    const replica = new CompanionReplica(thread, now)
    return new Promise((resolve, reject) => {
      let isOpen = false
      const stopped = (error: Error) => {
        if (!isOpen) reject(error)
        else if (!isClosing) fail(error)
      }
      worker.on('message', (news: PackNews) => {
        if (news.kind === 'opened') {
          isOpen = true
          resolve(replica)
        } else if (news.kind === 'warning') warn(news.message)
        else if (news.kind === 'failed') {
          stopped(new ReplicaError(news.message, news.name))
          isClosing = true
          void worker.terminate()
        } else if (news.kind === 'closed') void worker.terminate()
        else replica.hear(news)
      })
      worker.on('error', stopped)
      worker.on('exit', () => stopped(new ReplicaError('the thread of accounts and site has ended')))
    })
  }

  /** Begins with files that are open: those of an exchange that leads, or that another one changes. */
  begin(files: ReplicatedFiles, leads: boolean): void {
    this.#files = files
    const open = namesOf(files).filter(name => !files.companions[name].isStandIn)
    if (leads) this.#lead()
    this.#thread.order({ kind: 'go', companions: open })
  }

  /** Takes all that the log has, and leads it from there; resolves once the files may be changed. */
  async lead(epoch: number): Promise<void> {
    await new Promise<void>(resolve => {
      this.#led = resolve
      this.#thread.order({ kind: 'lead', epoch })
    })
    this.#lead()
  }

  /** Why changes are not sent or taken at present; undefined if they are. */
  get failure(): { readonly at: number; readonly message: string } | undefined {
    return [...this.#failures.values()][0] ?? this.#noteFailure
  }

  /**
   * Waits until the log has every change of the accounts made so far; resolves to false if that takes too
   * long. Returns undefined if it has them.
   */
  revoked(): Promise<boolean> | undefined {
    const sent = this.#sent.get('accounts')
    if (sent === undefined) return undefined
    const number = sent.outbox.last
    if (number <= sent.held.number) return undefined
    this.#thread.order({ kind: 'hurry' })
    return new Promise(resolve => {
      const cancel = this.#setTimer(() => {
        this.#waiters = this.#waiters.filter(other => other !== waiter)
        resolve(false)
      }, WAIT_MS)
      const done = (isHeld: boolean) => {
        cancel()
        resolve(isHeld)
      }
      const waiter: Waiter = { number, done }
      this.#waiters.push(waiter)
    })
  }

  /** Sends what is there, but not for long; the files are still open. */
  async close(): Promise<void> {
    await this.#thread.close()
    this.#cancelNote?.()
    this.#note()
  }

  /** Takes news of the thread. */
  hear(news: PackNews): void {
    switch (news.kind) {
      case 'followed':
        this.#files?.followed(news.companion, news.tables)
        break
      case 'leads':
        this.#led?.()
        break
      case 'held':
        this.#heldNow(news.companion, news)
        break
      case 'failing':
        if (news.reason === undefined) this.#failures.delete(news.companion)
        else this.#failures.set(news.companion, { at: this.#now(), message: news.reason })
        break
    }
  }

  #lead(): void {
    const files = this.#files
    if (files === undefined) return
    for (const name of namesOf(files)) {
      const outbox = files.companions[name].lead()
      if (outbox === undefined) continue
      outbox.onChange(() => this.#thread.order({ kind: 'changed', companion: name }))
      this.#sent.set(name, { outbox, held: NOTHING_HELD, noted: 0 })
    }
  }

  #heldNow(name: CompanionName, held: Held): void {
    const sent = this.#sent.get(name)
    if (sent === undefined) return
    sent.held = held
    // The first time at once: a start that does not find it sends all rows.
    if (sent.noted === 0) this.#note()
    else this.#cancelNote ??= this.#setTimer(() => this.#note(), NOTE_MS)
    if (name !== 'accounts') return
    const due = this.#waiters.filter(({ number }) => number <= held.number)
    this.#waiters = this.#waiters.filter(({ number }) => number > held.number)
    for (const { done } of due) done(true)
  }

  /** Writes down what the log has. A disk that is full lets it be sent again. */
  #note(): void {
    this.#cancelNote = undefined
    this.#noteFailure = undefined
    for (const [name, sent] of this.#sent) {
      if (sent.noted === sent.held.place || this.#files?.companions[name].doubt !== undefined) continue
      try {
        sent.outbox.acknowledge(sent.held)
        sent.noted = sent.held.place
      } catch (error) {
        this.#noteFailure = { at: this.#now(), message: (error as Error).message }
      }
    }
  }
}

const NOTHING_HELD: Held = { number: 0, place: 0, hash: '', epoch: 0 }
const namesOf = ({ companions }: ReplicatedFiles) => Object.keys(companions) as CompanionName[]

function afterwards(act: () => void, ms: number): () => void {
  const timer = setTimeout(act, ms)
  timer.unref()
  return () => clearTimeout(timer)
}
