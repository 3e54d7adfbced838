import { BlockList } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import type { TimeMs } from '../core/units.js'
import { readCommands } from '../store/command-text.js'
import type { Statement } from '../store/database.js'
import { openReadOnly } from '../store/database.js'
import type { Happening } from './journal-messages.js'
import { happeningsIn, mayTell } from './journal-messages.js'
import type { Attempt, Delivery } from './sending.js'
import { resolveAll, send } from './sending.js'

/** A task for the thread: a request to send, or batches of the journal to read. */
export type CourierTask =
  | { readonly kind: 'send'; readonly delivery: Delivery; readonly allowed: readonly string[] }
  | { readonly kind: 'read'; readonly after: number; readonly upTo: number }

/** The happenings in a part of the journal, and its last batch. */
export interface JournalPart {
  readonly happenings: readonly Happening[]
  readonly reached: number
}

export type CourierAnswer = Attempt | JournalPart

/** A task with the number by which its answer is known. */
export interface Numbered<What> {
  readonly number: number
  readonly what: What
}

interface Row {
  readonly sequence: number
  readonly at: TimeMs
  readonly commands: string
}

/** Bounds of one part, so that neither the thread nor the answer is ever large. */
const HAPPENINGS_MAX = 200
const LENGTH_MAX = 4_000_000
/** Look-ups of names at the same time: each may keep a thread of Node's pool for many seconds. */
const LOOKUPS_MAX = 2

const { file } = workerData as { readonly file: string }
let statement: Statement<Row> | undefined

function read(after: number, upTo: number): JournalPart {
  statement ??= openReadOnly(file).prepare(
    'SELECT sequence, at, commands FROM whole_journal WHERE sequence > ? AND sequence <= ? ORDER BY sequence',
  )
  const happenings: Happening[] = []
  let [reached, length] = [after, 0]
  for (const { sequence, at, commands } of statement.iterate(after, upTo)) {
    length += commands.length
    reached = sequence
    if (mayTell(commands)) {
      const batch = { sequence, at, commands: readCommands(commands, sequence) }
      for (const happening of happeningsIn(batch)) happenings.push(happening)
    }
    if (happenings.length >= HAPPENINGS_MAX || length >= LENGTH_MAX) break
  }
  return { happenings, reached }
}

let lookups = 0
const waiting: (() => void)[] = []

async function resolve(host: string) {
  if (lookups >= LOOKUPS_MAX) await new Promise<void>(go => waiting.push(go))
  else lookups++
  try {
    return await resolveAll(host)
  } finally {
    const next = waiting.shift()
    if (next === undefined) lookups--
    else next()
  }
}

function networksOf(texts: readonly string[]): BlockList {
  const networks = new BlockList()
  for (const text of texts) {
    const [, family = '', network = '', prefix] = /^Subnet: (IPv[46]) (.*)\/(\d+)$/.exec(text) ?? []
    networks.addSubnet(network, Number(prefix), family === 'IPv4' ? 'ipv4' : 'ipv6')
  }
  return networks
}

async function perform(task: CourierTask): Promise<CourierAnswer> {
  if (task.kind === 'read') return read(task.after, task.upTo)
  return send(task.delivery, { allowed: networksOf(task.allowed), resolve })
}

parentPort?.on('message', ({ number, what }: Numbered<CourierTask>) => {
  // A journal that cannot be read ends the thread; the next look starts another.
  void perform(what).then(answer => parentPort?.postMessage({ number, what: answer }))
})
