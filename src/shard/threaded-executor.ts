import type { MessagePort } from 'node:worker_threads'
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import type { BookAnswer } from '../engine/book-questions.js'
import type { ShardPlace, SharedState } from './batch-runner.js'
import type { CommandGroup } from './command-group.js'
import type { FlatResult } from './flat-result.js'
import { readResult } from './flat-result.js'
import { LateTask } from './late-task.js'
import type { BatchExecutor, BatchListener } from './shard.js'
import type { BatchAnswer, ShardPorts, ShardTask, ShardWorkerData } from './shard-worker.js'
import { turnEnd } from './turn-end.js'
import { TASK_TIMEOUT_MS, WorkerThread } from './worker-thread.js'

const ENTRY = new URL('./shard-worker.js', import.meta.url)

/**
 * Starts a shard in its own worker thread; resolves when its books are rebuilt. Calls `died` if it exits.
 *
 * @param told where it tells the follower each batch
 */
export async function openThreadedExecutor(
  file: string,
  place: ShardPlace,
  { writeLock, balances }: SharedState,
  ports: ShardPorts,
  died: (error: Error) => void,
): Promise<BatchExecutor> {
  const name = `shard ${place.index}`
  const workerData: ShardWorkerData = {
    file,
    place,
    lockMemory: writeLock.memory,
    balancesMemory: balances.memory,
  }
  const thread = new WorkerThread<ShardTask, unknown>(name, ENTRY, { workerData, died })
  const { port1: port, port2: workerPort } = new MessageChannel()
  try {
    const transferList = [workerPort, ...Object.values(ports)]
    await thread.open({ kind: 'open', port: workerPort, ports }, { transferList })
  } catch (error) {
    port.close()
    throw error
  }
  const line = new BatchLine(name, port)
  return {
    listen: listener => line.listen(listener),
    send: group => line.send(group),
    follow: async rows => {
      const flat = (await thread.run({ kind: 'follow', rows })) as readonly FlatResult[] | string
      return typeof flat === 'string' ? flat : flat.map(readResult)
    },
    truncateLog: () => thread.run({ kind: 'truncate' }) as Promise<void>,
    look: question => thread.run({ kind: 'look', question }) as Promise<BookAnswer>,
    stateHash: () => thread.run({ kind: 'hash' }) as Promise<string>,
    close: async () => {
      await thread.run({ kind: 'close' })
      line.close()
      await thread.close()
    },
  }
}

/**
 * Sends groups straight to the worker, and receives its results: the pool's own way costs as much as the
 * deciding. Fails when the worker throws, or does not answer in time.
 */
class BatchLine {
  readonly #name: string
  readonly #port: MessagePort
  #listener: BatchListener | undefined
  readonly #endReceiving: () => void
  #timer: NodeJS.Timeout | undefined
  #sentCount = 0

  constructor(name: string, port: MessagePort) {
    this.#name = name
    this.#port = port
    port.on('message', (answer: BatchAnswer | Error) => this.#receive(answer))
    this.#endReceiving = turnEnd.receive(() => this.#receiveAll())
  }

  listen(listener: BatchListener): void {
    this.#listener = listener
  }

  send(group: CommandGroup): void {
    if (this.#sentCount === 0) this.#watch()
    this.#sentCount += group.count
    this.#port.postMessage(group)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#endReceiving()
    this.#port.close()
  }

  /** Receives what has arrived, though its event may still wait behind others. */
  #receiveAll(): void {
    if (this.#sentCount === 0) return
    for (let next = receiveMessageOnPort(this.#port); next; next = receiveMessageOnPort(this.#port)) {
      this.#receive(next.message as BatchAnswer | Error)
    }
  }

  #receive(answer: BatchAnswer | Error): void {
    if (answer instanceof Error) {
      clearTimeout(this.#timer)
      this.#listener?.failed(answer)
      return
    }
    this.#sentCount -= answer.commandsCount
    if (this.#sentCount === 0) clearTimeout(this.#timer)
    else this.#watch()
    this.#listener?.committed(answer.commandsCount, readResult(answer.flat))
  }

  /** Starts the time for the next answer. */
  #watch(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#listener?.failed(new LateTask(this.#name, TASK_TIMEOUT_MS))
    }, TASK_TIMEOUT_MS)
  }
}
