import { parseArgs } from 'node:util'
import { ConfigError } from '../config.js'
import type { Server } from './client.js'
import { CallError, call, serverAt } from './client.js'
import type { EventView } from './event-text.js'
import { eventLine, eventSheet, eventTable } from './event-text.js'
import { printable } from './printable.js'

const CANNOT = 1
const WRONG_USE = 2
const PAGE_LENGTH = 1000
const EVENT_CODE = /^\d{7}$/
const OUTCOMES: readonly string[] = ['yes', 'no']

/** What each action takes behind its name, and the flags that only it knows. */
const ACTIONS: Readonly<Record<string, { readonly words: string; readonly flags: readonly string[] }>> = {
  list: { words: '', flags: ['status'] },
  show: { words: '<code>', flags: [] },
  halt: { words: '<code>', flags: [] },
  resume: { words: '<code>', flags: [] },
  close: { words: '<code>', flags: [] },
  resolve: { words: '<code> yes|no', flags: ['source-url', 'note'] },
  void: { words: '<code>', flags: ['source-url', 'note'] },
}

interface Flags {
  readonly url?: string
  readonly json?: boolean
  readonly status?: string
  readonly 'source-url'?: string
  readonly note?: string
}

/** `raay event <action> …`: what the operator does with the events of a running exchange. */
export async function event(argv: readonly string[]): Promise<void> {
  try {
    process.stdout.write(await run(argv))
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof CallError)) throw error
    process.stderr.write(`raay: ${printable(error.message)}\n`)
    process.exitCode = error instanceof ConfigError ? WRONG_USE : CANNOT
  }
}

async function run(argv: readonly string[]): Promise<string> {
  const { action, words, flags } = read(argv)
  const server = serverAt(flags.url, process.env)
  if (action === 'list') {
    const events = await listEvents(server, flags.status)
    return flags.json === true ? json(events) : eventTable(events)
  }
  const [code = '', outcome] = words
  const shown = await actOn(server, action, code, outcome, flags)
  if (flags.json === true) return json(shown)
  return action === 'show' ? eventSheet(shown) : eventLine(shown)
}

function read(argv: readonly string[]) {
  const [action = '', ...rest] = argv
  const known = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
  if (known === undefined) {
    const what = action === '' ? 'say what to do with events' : `there is no "event ${action}"`
    throw new ConfigError(`${what}; raay help event lists what there is`)
  }
  const texts = ['url', ...known.flags].map(name => [name, { type: 'string' as const }])
  const options = { ...Object.fromEntries(texts), json: { type: 'boolean' as const } }
  const { values, positionals: words } = parse(rest, options)
  const expected = known.words === '' ? 0 : known.words.split(' ').length
  if (words.length !== expected) {
    throw new ConfigError(`write raay event ${`${action} ${known.words}`.trim()}; raay help event says more`)
  }
  const [code, outcome] = words
  if (code !== undefined && !EVENT_CODE.test(code)) {
    throw new ConfigError(`"${code}" is no event code: give seven digits, such as 1000001`)
  }
  if (outcome !== undefined && !OUTCOMES.includes(outcome)) {
    throw new ConfigError(`"${outcome}" is no outcome: give yes or no, or write raay event void ${code}`)
  }
  return { action, words, flags: values as Flags }
}

type Options = Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>

function parse(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new ConfigError(`${reason}; raay help event lists the flags`)
  }
}

/** All events, however many pages they fill. */
async function listEvents(server: Server, status: string | undefined): Promise<EventView[]> {
  const events: EventView[] = []
  const filter = status === undefined ? '' : `&status=${encodeURIComponent(status)}`
  let cursor: string | null = '0'
  while (cursor !== null) {
    const path: string = `/events?limit=${PAGE_LENGTH}&cursor=${encodeURIComponent(cursor)}${filter}`
    const page = (await call(server, 'GET', path)) as { events: EventView[]; next_cursor: string | null }
    events.push(...page.events)
    cursor = page.next_cursor
  }
  return events
}

async function actOn(
  server: Server,
  action: string,
  code: string,
  outcome: string | undefined,
  flags: Flags,
): Promise<EventView> {
  const path = `/events/${code}`
  switch (action) {
    case 'show':
      return (await call(server, 'GET', path)) as EventView
    case 'resolve':
    case 'void': {
      const resolution = { outcome: outcome ?? 'void', source_url: flags['source-url'], note: flags.note }
      return (await call(server, 'POST', `${path}/resolve`, resolution)) as EventView
    }
    default:
      return (await call(server, 'POST', `${path}/${action}`)) as EventView
  }
}

const json = (value: unknown) => `${JSON.stringify(value)}\n`
