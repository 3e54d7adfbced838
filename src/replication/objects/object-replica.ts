import { Worker } from 'node:worker_threads'
import type { Sequence } from '../../core/units.js'
import type { ObjectsNews, ObjectsThreadData } from './objects-thread.js'
import type { ReplicaExtent } from '../replica-messages.js'

const ENTRY = new URL('./objects-thread.js', import.meta.url)
/** How long a stop waits until the store has what it can get. */
const CLOSE_WITHIN_MS = 10_000

/** How far a replica is behind the journal. */
export interface ReplicaReading {
  /** The last batch that it is known to hold; undefined until the store has answered. */
  readonly through: Sequence | undefined
  /** Why the last attempt failed; undefined if it did not. */
  readonly failure: { readonly at: number; readonly message: string } | undefined
  /** Why old batches are not deleted there; undefined if they are. */
  readonly trimFailure: { readonly at: number; readonly message: string } | undefined
  /** The batches that it keeps, as of the last trimming; undefined until the first. */
  readonly kept: ReplicaExtent | undefined
}

interface ReplicaOptions extends Omit<ObjectsThreadData, 'startedAt'> {
  readonly now: () => number
  /** Tells that attempts fail, each reason once, and that they succeed again. */
  readonly told: (message: string | undefined) => void
  /** Tells what else an operator should know. */
  readonly warn: (message: string) => void
  /** Called if the exchange must stop: another one went on in its place. */
  readonly fail: (error: Error) => void
}

/** The thread that puts the journal into a store, behind the exchange; no order waits for it. */
export class ObjectReplica {
  readonly #thread: Worker
  readonly #closed: Promise<void>
  #reading: ReplicaReading = {
    through: undefined,
    failure: undefined,
    trimFailure: undefined,
    kept: undefined,
  }
  #isClosing = false

  private constructor(thread: Worker, closed: Promise<void>) {
    this.#thread = thread
    this.#closed = closed
  }

  /**
   * Starts the thread; resolves once the store has been looked at, or does not answer. Rejects if it cannot
   * be used, or has been taken over: then the exchange must not serve.
   */
  static open({ now, told, warn, fail, ...given }: ReplicaOptions): Promise<ObjectReplica> {
    const workerData: ObjectsThreadData = { ...given, startedAt: now() }
    const thread = new Worker(ENTRY, { workerData })
    const closed = new Promise<void>(resolve => thread.once('exit', () => resolve()))
    const replica = new ObjectReplica(thread, closed)
    return new Promise((resolve, reject) => {
      let isMet = false
      const stopped = (error: Error) => {
        if (!isMet) reject(error)
        else if (!replica.#isClosing) fail(error)
      }
      thread.on('message', (news: ObjectsNews) => {
        if (news.kind === 'met') {
          isMet = true
          resolve(replica)
        } else if (news.kind === 'through') {
          if (replica.#reading.failure !== undefined) told(undefined)
          replica.#reading = { ...replica.#reading, through: news.sequence, failure: undefined }
        } else if (news.kind === 'kept') {
          replica.#reading = { ...replica.#reading, kept: news.extent }
        } else if (news.kind === 'warning') warn(news.message)
        else if (news.kind === 'untrimmed') {
          const { message } = news
          const { trimFailure: before } = replica.#reading
          if (message !== undefined && message !== before?.message)
            warn(`old batches of the copy are not deleted: ${message}`)
          const trimFailure = message === undefined ? undefined : { at: now(), message }
          replica.#reading = { ...replica.#reading, trimFailure }
        } else if (news.kind === 'failed') {
          if (replica.#reading.failure?.message !== news.message) told(news.message)
          replica.#reading = { ...replica.#reading, failure: { at: now(), message: news.message } }
        } else if (news.kind === 'refused') {
          stopped(new Error(news.message))
          void thread.terminate()
        } else void thread.terminate()
      })
      thread.on('error', stopped)
      thread.on('exit', () => stopped(new Error('the thread of the replica has ended')))
    })
  }

  read(): ReplicaReading {
    return this.#reading
  }

  /** Puts what the store lacks, but not for long; the next start puts the rest. */
  async close(): Promise<void> {
    this.#isClosing = true
    this.#thread.postMessage('close')
    const timer = setTimeout(() => void this.#thread.terminate(), CLOSE_WITHIN_MS)
    await this.#closed
    clearTimeout(timer)
  }
}
