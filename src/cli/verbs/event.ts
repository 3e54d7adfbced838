import { ConfigError } from '../../server/config.js'
import type { Server } from '../client.js'
import { call, serverAt } from '../client.js'
import type { Action, Written } from '../flags.js'
import { readAction } from '../flags.js'
import { eventCode } from '../input/event-code.js'
import { allPages } from '../pages.js'
import { answering, json } from '../run-verb.js'
import { createdEvent, EVENT_FIELDS } from './event-fields.js'
import type { EventView } from './event-text.js'
import { eventLine, eventSheet, eventTable } from './event-text.js'

const OUTCOMES: readonly string[] = ['yes', 'no']

/** What each action takes behind its name, and the flags that only it knows. */
const ACTIONS: Readonly<Record<string, Action>> = {
  create: {
    words: '<title>',
    texts: EVENT_FIELDS,
  },
  list: { words: '', texts: ['status'] },
  show: { words: '<code>' },
  halt: { words: '<code>' },
  resume: { words: '<code>' },
  close: { words: '<code>' },
  resolve: { words: '<code> yes|no', texts: ['source-url', 'note'] },
  void: { words: '<code>', texts: ['source-url', 'note'] },
}

/** `raay event <action> …`: what the operator does with the events of a running exchange. */
export function event(argv: readonly string[]): Promise<void> {
  return answering(() => run(argv))
}

async function run(argv: readonly string[]): Promise<string> {
  const written = readAction('event', ACTIONS, argv)
  const { action, texts, switches } = written
  if (action !== 'list' && action !== 'create') checkWords(written)
  const server = serverAt(texts.url, process.env)
  if (action === 'list') {
    const filter = texts.status === undefined ? {} : { status: texts.status }
    const { rows } = await allPages<EventView>(server, '/events', filter, 'events')
    return switches.json ? json(rows) : eventTable(rows)
  }
  const shown = action === 'create' ? await createdEvent(server, written) : await actOn(server, written)
  if (switches.json) return json(shown)
  return action === 'show' ? eventSheet(shown) : eventLine(shown)
}

function checkWords({ words: [code = '', outcome] }: Written): void {
  eventCode(code)
  if (outcome !== undefined && !OUTCOMES.includes(outcome)) {
    throw new ConfigError(`"${outcome}" is no outcome: give yes or no, or write raay event void ${code}`)
  }
}

async function actOn(server: Server, { action, words, texts }: Written): Promise<EventView> {
  const [code = '', outcome = 'void'] = words
  const path = `/events/${code}`
  switch (action) {
    case 'show':
      return (await call(server, 'GET', path)) as EventView
    case 'resolve':
    case 'void': {
      const resolution = { outcome, source_url: texts['source-url'], note: texts.note }
      return (await call(server, 'POST', `${path}/resolve`, resolution)) as EventView
    }
    default:
      return (await call(server, 'POST', `${path}/${action}`)) as EventView
  }
}
