import type { BlockList } from 'node:net'
import { Worker } from 'node:worker_threads'
import type { Attempt, Delivery } from './sending.js'
import type { CourierAnswer, CourierTask, JournalPart, Numbered } from './webhook-thread.js'

interface Waiting {
  readonly done: (answer: CourierAnswer) => void
  readonly failed: (error: Error) => void
}

/** Sends requests and reads the journal elsewhere. */
export interface Courier {
  send(delivery: Delivery, allowed: BlockList): Promise<Attempt>
  /** Returns what happened after a batch, up to another one or less far. */
  read(after: number, upTo: number): Promise<JournalPart>
  close(): Promise<void>
}

/** The thread of the webhooks. It starts with the first task, and once more after it died. */
export class CourierThread implements Courier {
  readonly #file: string
  readonly #waiting = new Map<number, Waiting>()
  #thread: Worker | undefined
  #last = 0
  #isClosed = false

  /** @param file of the tables, beside which the journal is */
  constructor(file: string) {
    this.#file = file
  }

  send(delivery: Delivery, { rules }: BlockList): Promise<Attempt> {
    return this.#run({ kind: 'send', delivery, allowed: rules }) as Promise<Attempt>
  }

  read(after: number, upTo: number): Promise<JournalPart> {
    return this.#run({ kind: 'read', after, upTo }) as Promise<JournalPart>
  }

  /** Ends the thread; what it was doing is rejected. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.terminate()
  }

  #run(what: CourierTask): Promise<CourierAnswer> {
    if (this.#isClosed) return Promise.reject(new Error('the webhooks are stopped'))
    const number = ++this.#last
    return new Promise((done, failed) => {
      this.#waiting.set(number, { done, failed })
      this.#started().postMessage({ number, what } satisfies Numbered<CourierTask>)
    })
  }

  #started(): Worker {
    if (this.#thread !== undefined) return this.#thread
    const thread = new Worker(new URL('./webhook-thread.js', import.meta.url), {
      workerData: { file: this.#file },
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    })
    this.#thread = thread
    let reason = new Error('the thread of the webhooks has ended')
    thread.on('message', ({ number, what }: Numbered<CourierAnswer>) => {
      this.#waiting.get(number)?.done(what)
      this.#waiting.delete(number)
    })
    thread.on('error', error => {
      reason = error
    })
    thread.on('exit', () => {
      this.#thread = undefined
      const waiting = [...this.#waiting.values()]
      this.#waiting.clear()
      for (const { failed } of waiting) failed(reason)
    })
    return thread
  }
}
