import { WorkerThread } from '../../shard/worker-thread.js'
import { openReadOnly } from '../../store/database.js'
import type { Lookup, LookupAbout, LookupAnswer, LookupQuestion } from './lookup-reader.js'
import { LookupReader } from './lookup-reader.js'
import type { LookupTask } from './lookup-worker.js'
import type { ReadBusy, ReadLoad } from './read-lane.js'

const ENTRY = new URL('./lookup-worker.js', import.meta.url)
/** How many look-ups one wake-up of the reader serves; more would keep those behind them waiting. */
const BATCH_LENGTH_MAX = 512
/** How many may wait before those that only read are refused. */
const WAITING_MAX = 8192

/** Where look-ups are answered: a worker thread, or this thread in tests. */
export interface LookupExecutor {
  /** Answers all of them, in their order. */
  find(lookups: readonly Lookup[]): Promise<readonly unknown[]>
  close(): Promise<void>
}

interface Waiting {
  readonly lookup: Lookup
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * Finds single rows on disk: what a request must know before it is decided. They have a reader of their own,
 * so that no page read delays them, and all that wait go to it together: a thread takes some thousand tasks a
 * second, a task any number of look-ups.
 */
export class Lookups {
  readonly #executor: LookupExecutor
  #waiting: Waiting[] = []
  #work: Promise<void> | undefined
  #running = 0
  #refused = 0

  constructor(executor: LookupExecutor) {
    this.#executor = executor
  }

  get load(): ReadLoad {
    return { running: this.#running, waiting: this.#waiting.length, refused: this.#refused }
  }

  /** Looks up for who only reads; answers that too many wait where there is no room. */
  async askIfRoom<Q extends LookupQuestion>(
    question: Q,
    ...about: LookupAbout<Q>
  ): Promise<LookupAnswer<Q> | ReadBusy> {
    if (this.#waiting.length < WAITING_MAX) return this.ask(question, ...about)
    this.#refused++
    return 'reads_full'
  }

  /** Looks up what a change must know; who asks bounds how many of these wait. */
  ask<Q extends LookupQuestion>(question: Q, ...about: LookupAbout<Q>): Promise<LookupAnswer<Q>> {
    return new Promise((resolve, reject) => {
      const lookup: Lookup = [question, ...about]
      this.#waiting.push({ lookup, resolve: resolve as Waiting['resolve'], reject })
      this.#work ??= this.#findAll()
    })
  }

  /** Waits until nothing is waited for. */
  async drain(): Promise<void> {
    while (this.#work !== undefined) await this.#work
  }

  /** Answers what is waited for before it closes. */
  async close(): Promise<void> {
    await this.drain()
    await this.#executor.close()
  }

  async #findAll(): Promise<void> {
    // Let all that the event loop has in hand go with the first.
    await new Promise<void>(resolve => setImmediate(resolve))
    while (this.#waiting.length > 0) await this.#findNext()
    this.#work = undefined
  }

  async #findNext(): Promise<void> {
    const batch = this.#waiting.slice(0, BATCH_LENGTH_MAX)
    this.#waiting = this.#waiting.slice(BATCH_LENGTH_MAX)
    this.#running = batch.length
    try {
      const answers = await this.#executor.find(batch.map(({ lookup }) => lookup))
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index])
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      this.#running = 0
    }
  }
}

/**
 * A reader in a worker thread of its own. Answers when it is ready: a thread that is ended while it still
 * loads the database's binding takes the whole process down with it.
 */
export async function openThreadedLookups(file: string, died: (error: Error) => void): Promise<Lookups> {
  const thread = new WorkerThread<LookupTask, unknown>('lookups', ENTRY, { file }, died)
  await thread.run({ kind: 'open' })
  return new Lookups({
    find: lookups => thread.run({ kind: 'find', lookups }) as Promise<unknown[]>,
    close: async () => {
      await thread.run({ kind: 'close' })
      await thread.close()
    },
  })
}

/** The same in the caller's thread, for tests and simulations. */
export function openInlineLookups(file: string): Lookups {
  const database = openReadOnly(file)
  const reader = new LookupReader(database)
  return new Lookups({
    find: async lookups => reader.answer(lookups),
    close: async () => {
      database.close()
    },
  })
}
