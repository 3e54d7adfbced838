import type { MessagePort } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { LateTask } from './late-task.js'

export const TASK_TIMEOUT_MS = 120_000

interface RunOptions {
  readonly timeoutMs?: number
  /** Objects that move to the thread instead of being copied. */
  readonly transferList?: MessagePort[]
}

interface ThreadOptions {
  readonly workerData: unknown
  readonly died: (error: Error) => void
}

/**
 * One worker thread that runs tasks in order: a Piscina pool of exactly one. Piscina silently replaces a dead
 * worker by an empty one; here any exit not caused by `close` is reported as fatal.
 */
export class WorkerThread<Task, Answer> {
  readonly #pool: Piscina
  readonly #name: string
  #isClosing = false

  /** @param entry the thread's script */
  constructor(name: string, entry: URL, { workerData, died }: ThreadOptions) {
    this.#name = name
    this.#pool = new Piscina({
      filename: entry.href,
      workerData,
      minThreads: 1,
      maxThreads: 1,
      idleTimeout: Number.POSITIVE_INFINITY,
      concurrentTasksPerWorker: 1,
      stricterFIFO: true,
      atomics: 'disabled',
      // On few cores a waking worker would preempt the main thread, which feeds all workers; measured, that
      // costs a tenth of the orders per second. Piscina ignores this where the platform has no priorities.
      niceIncrement: 10,
    })
    const report = (error: Error) => {
      if (!this.#isClosing) died(error)
    }
    this.#pool.on('error', report)
    for (const thread of this.#pool.threads) {
      thread.once('exit', code =>
        report(new Error(`${name}: the worker thread exited unexpectedly, code ${code}`)),
      )
    }
  }

  /** Runs one task. Rejects when the worker throws, dies, or does not answer in time. */
  async run(
    task: Task,
    { timeoutMs = TASK_TIMEOUT_MS, transferList = [] }: RunOptions = {},
  ): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new LateTask(this.#name, timeoutMs)), timeoutMs)
    })
    try {
      return await Promise.race([this.#pool.run(task, { transferList }) as Promise<Answer>, timeout])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Runs the first task; ends the thread if that fails. */
  async open(task: Task, options?: RunOptions): Promise<void> {
    try {
      await this.run(task, options)
    } catch (error) {
      await this.close()
      throw error
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.#pool.destroy()
  }
}
