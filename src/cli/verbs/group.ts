import type { EventGroup, GroupResolution, Groups } from '../../client/node-client.js'
import { UsageError } from '../exit-errors.js'
import type { EventFields } from '../input/event-body.js'
import { eventEdit, newEvent } from '../input/event-body.js'
import { eventCode } from '../input/event-code.js'
import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { option } from '../options.js'
import { json, printing } from '../run-verb.js'
import type { Connection } from '../with-exchange.js'
import { addConnection, withExchange } from '../with-exchange.js'
import { addCreateOptions, addEditOptions } from './event-fields.js'
import { groupLine, groupSheet, groupTable } from './group-text.js'
import { groupLiquidityCommand } from './liquidity.js'

interface CreateOptions extends Connection, EventFields {
  readonly outcomes?: string
  readonly independent?: true
  readonly noneOfThese?: true
}

interface ResolveOptions extends Connection {
  readonly sourceUrl?: string
  readonly note?: string
}

const INDEPENDENT = { yes: 'yes', no: 'no', void: 'void' } as const

/** `raay group <action> …`: groups of events, one for each outcome of a question. */
export function groupCommand(): Command {
  const made = command('group', 'create, edit, list, halt, close and resolve groups of events', [
    'raay group create "Who wins the cup?" --outcomes "India, Australia, Kenya" --none-of-these --end +30d',
    'raay group list',
    'raay group close 1000001',
    'raay group resolve 1000001 1000003 --source-url https://example.org/result',
    'raay group resolve 1000010 1000011=yes 1000012=no',
    'raay group void 1000001 --note "The cup was called off"',
  ])
  note(
    made,
    `The events of a group are shown, and their titles edited, with raay event. All actions but list and show
are for the operator. Repeating an action is harmless.`,
  )
  for (const action of [
    createCommand(),
    editCommand(),
    listCommand(),
    showCommand(),
    changeCommand('halt', 'stop taking orders for now; resting orders stay', groups => groups.halt),
    changeCommand('resume', 'take orders again', groups => groups.resume),
    changeCommand('close', 'end trading; resting orders are cancelled', groups => groups.close),
    resolveCommand(),
    voidCommand(),
    groupLiquidityCommand(),
  ]) {
    made.addCommand(action)
  }
  return made
}

function createCommand(): Command {
  const made = command('create', 'create a group and an event for each outcome', [
    'raay group create "Who wins the cup?" --outcomes "India, Australia, Kenya" --end +30d',
  ])
  addCreateOptions(made.argument('<title>'))
    .addOption(option('--outcomes <list>', '2 to 100 titles, separated by commas'))
    .addOption(option('--independent', 'each outcome has a result of its own; else exactly one comes true'))
    .addOption(option('--none-of-these', 'adds a last outcome “None of these”'))
  return addConnection(made).action(
    printing((title: string, options: CreateOptions) => {
      const { outcomes, independent, noneOfThese, image } = options
      if (image !== undefined) throw new UsageError('--image: give each event its own with raay event edit')
      const titles = (outcomes ?? '').split(',').map(text => text.trim())
      if (titles.some(text => text === '')) {
        throw new UsageError('missing --outcomes: give their titles, such as --outcomes "India, Australia"')
      }
      const request = {
        ...newEvent(title, options),
        kind: independent ? ('independent' as const) : ('exclusive' as const),
        outcomes: titles.map(text => ({ title: text })),
        ...(noneOfThese && { none_of_these: true }),
      }
      return changed(options, async groups => groups.fetchGroup(await groups.create(request)))
    }),
  )
}

function editCommand(): Command {
  const made = command('edit', 'change the words of a group, or the times and terms of all its outcomes', [
    'raay group edit 1000001 --title "Who wins the final?"',
    'raay group edit 1000001 --end +5d --max-bet 5000',
  ])
  note(made, 'Terms change in the outcomes in which they still can, as with raay event edit; or in none.')
  return addConnection(addEditOptions(withCode(made))).action(
    printing((code: string, options: Connection & EventFields) => {
      const { category, source_url, ...edit } = eventEdit(options)
      if (options.image !== undefined || category !== undefined || source_url !== undefined) {
        throw new UsageError(
          'give the events their --image, --category and --source-url with raay event edit',
        )
      }
      return changed(options, groups => groups.edit(code, edit))
    }),
  )
}

function listCommand(): Command {
  return addConnection(command('list', 'list groups', ['raay group list --json'])).action(
    printing(async (options: Connection) => {
      const limit = Number.POSITIVE_INFINITY
      const groups = await withExchange(options, client => client.groups.fetchGroups({ limit }))
      return options.json ? json(groups) : groupTable(groups)
    }),
  )
}

function showCommand(): Command {
  const made = command('show', 'show a group and the prices of its outcomes', ['raay group show 1000001'])
  return addConnection(withCode(made)).action(
    printing(async (code: string, options: Connection) => {
      const group = await withExchange(options, client => client.groups.fetchGroup(code))
      return options.json ? json(group) : groupSheet(group)
    }),
  )
}

function changeCommand(
  name: string,
  description: string,
  methodOf: (groups: Groups) => (code: string) => Promise<EventGroup>,
): Command {
  const made = command(name, description, [`raay group ${name} 1000001`])
  return addConnection(withCode(made)).action(
    printing((code: string, options: Connection) =>
      changed(options, groups => methodOf(groups).call(groups, code)),
    ),
  )
}

function resolveCommand(): Command {
  const made = command('resolve', 'set the winner of a closed group, or results of independent outcomes', [
    'raay group resolve 1000001 1000003 --note "Final at 18:00"',
    'raay group resolve 1000010 1000011=yes 1000012=no',
  ])
  const results = 'the code of the event that won; of an independent group <code>=yes, no or void'
  return addConnection(withSource(withCode(made).argument('<results...>', results))).action(
    printing((code: string, given: readonly string[], options: ResolveOptions) =>
      changed(options, groups => groups.resolve(code, { ...resultIn(given), ...sourceOf(options) })),
    ),
  )
}

function voidCommand(): Command {
  const made = command('void', 'reverse every trade of an exclusive group without a result', [
    'raay group void 1000001 --note "The cup was called off"',
  ])
  return addConnection(withSource(withCode(made))).action(
    printing((code: string, options: ResolveOptions) =>
      changed(options, groups => groups.resolve(code, { winner: 'void', ...sourceOf(options) })),
    ),
  )
}

/** Sends a change and prints the group after it. */
async function changed(
  options: Connection,
  change: (groups: Groups) => Promise<EventGroup>,
): Promise<string> {
  const group = await withExchange(options, client => change(client.groups))
  return options.json ? json(group) : groupLine(group)
}

/** Returns one winner, or the results of several outcomes. Throws UsageError for anything else. */
function resultIn(given: readonly string[]): GroupResolution {
  const [first = ''] = given
  if (given.length === 1 && !first.includes('=')) return { winner: eventCode(first) }
  const outcomes = given.map(text => {
    const [code = '', outcome = ''] = text.split('=')
    const known = Object.entries(INDEPENDENT).find(([word]) => word === outcome)
    if (known === undefined) {
      throw new UsageError(`"${text}" is not a result: give one winner, or results such as 1000002=yes`)
    }
    return [eventCode(code), known[1]] as const
  })
  return { outcomes: Object.fromEntries(outcomes) }
}

function sourceOf({ sourceUrl, note: text }: ResolveOptions): { source_url?: string; note?: string } {
  return {
    ...(sourceUrl !== undefined && { source_url: sourceUrl }),
    ...(text !== undefined && { note: text }),
  }
}

function withCode(made: Command): Command {
  return made.argument('<code>', 'the code of the group: seven digits, such as 1000001', eventCode)
}

function withSource(made: Command): Command {
  return made
    .addOption(option('--source-url <url>', 'where the result is published'))
    .addOption(option('--note <text>', 'a remark for traders'))
}
