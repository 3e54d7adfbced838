import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Leaves the cores to the server and the orders, where the readers' own time is not what is measured. */
export const NICE = 10

export interface ReaderCounts {
  readonly messages: number
  readonly bytes: number
  readonly delayP50: number
  readonly delayP99: number
}

/** Readers in a process of their own. */
export interface Readers<Counts> {
  /** Ends them; returns what they counted. */
  stop(): Promise<Counts>
}

/** Starts sockets that are subscribed to one event, and waits until all are. */
export function startSubscribers(
  url: string,
  code: string,
  sockets: number,
  niceness = 0,
): Promise<Readers<ReaderCounts>> {
  const entry = new URL('./fan-out-readers.js', import.meta.url)
  return startReaders(entry, [`${url.replace('http', 'ws')}/ws`, code, String(sockets)], niceness)
}

/** Starts connections that read a path as fast as they are answered, and waits until all do. */
export function startFullSpeed(
  url: string,
  path: string,
  connections: number,
): Promise<Readers<{ readonly perSecond: number }>> {
  const entry = new URL('./full-speed-readers.js', import.meta.url)
  return startReaders(entry, [url, path, String(connections)], NICE)
}

async function startReaders<Counts>(
  entry: URL,
  args: readonly string[],
  niceness: number,
): Promise<Readers<Counts>> {
  const child = spawn(process.execPath, [fileURLToPath(entry), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  setPriority(child.pid ?? 0, niceness)
  const lines = createInterface({ input: child.stdout })
  await once(lines, 'line')
  return {
    stop: async () => {
      const counted = once(lines, 'line') as Promise<[string]>
      child.kill('SIGTERM')
      const [line] = await counted
      await once(child, 'exit')
      return JSON.parse(line) as Counts
    },
  }
}
