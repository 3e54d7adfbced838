import type { Market, MarketStatus, Operator, Resolution } from '../../client/node-client.js'
import { MARKET_STATUSES } from '../../core/market.js'
import type { EventFields } from '../input/event-body.js'
import { eventEdit, newEvent } from '../input/event-body.js'
import { eventCode } from '../input/event-code.js'
import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { choice, option } from '../options.js'
import { json, printing } from '../run-verb.js'
import type { Connection } from '../with-exchange.js'
import { addConnection, withExchange } from '../with-exchange.js'
import { addCreateOptions, addEditOptions } from './event-fields.js'
import { eventLine, eventSheet, eventTable } from './event-text.js'
import { eventLiquidityCommand } from './liquidity.js'
import { readFileSync, statSync } from 'node:fs'
import { UsageError } from '../exit-errors.js'

interface ResolveOptions extends Connection {
  readonly sourceUrl?: string
  readonly note?: string
}

/** `raay event <action> …`: the events of a running exchange and what its operator does with them. */
export function eventCommand(): Command {
  const made = command('event', 'create, edit, list, halt, close, resolve, void and quote events', [
    'raay event create "Will it rain in Pune on Sunday?" --end +3d --category Weather --sot IMD',
    'raay event edit 1000001 --end +5d --title "Will it rain in Pune on Sunday or Monday?"',
    'raay event list --status closed',
    'raay event close 1000001',
    'raay event resolve 1000001 yes --source-url https://example.org/result --note "Final at 18:00"',
    'raay event void 1000002 --note "The match was called off"',
    'raay event liquidity 1000001 --budget 10000 --start-price 5',
    'RAAY_ADMIN_TOKEN=... raay event halt 1000001 --url https://raay.example.org',
  ])
  note(
    made,
    `All actions but list and show are for the operator: they send RAAY_ADMIN_TOKEN if it is set. An exchange
without a token takes them from its own machine only. Repeating an action is harmless.

Exit codes: 0 done, 1 refused or not reachable, 2 wrong use.`,
  )
  for (const action of [
    createCommand(),
    editCommand(),
    listCommand(),
    showCommand(),
    changeCommand('halt', 'stop taking orders for now; resting orders stay', operator => operator.haltMarket),
    changeCommand('resume', 'take orders again', operator => operator.resumeMarket),
    changeCommand('close', 'end trading; resting orders are cancelled', operator => operator.closeMarket),
    resolveCommand(),
    voidCommand(),
    eventLiquidityCommand(),
  ]) {
    made.addCommand(action)
  }
  return made
}

function createCommand(): Command {
  const made = command('create', 'create an event', ['raay event create "Will it rain in Pune?" --end +3d'])
  return addConnection(addCreateOptions(made.argument('<title>'))).action(
    printing((title: string, options: Connection & EventFields) => {
      const request = newEvent(title, options)
      const image = options.image === undefined ? undefined : eventImage(options.image)
      return changed(options, async operator => {
        const created = await operator.createMarket(request)
        return image === undefined ? created : operator.setMarketImage(String(created), image)
      })
    }),
  )
}

function editCommand(): Command {
  const made = command('edit', 'change the title, the times or the terms of an event', [
    'raay event edit 1000001 --end +5d',
    'raay event edit 1000001 --title "Will it rain?" --description "By the airport gauge."',
    'raay event edit 1000001 --image 🌧️',
  ])
  note(
    made,
    `--start can change until trading opens, --end, --min-bet, --max-bet and --quantity until it ends,
the rest until the event is resolved, --image at any time.`,
  )
  return addConnection(addEditOptions(withCode(made))).action(
    printing((code: string, options: Connection & EventFields) => {
      const { image: given } = options
      const image = given === undefined || given === '' ? undefined : eventImage(given)
      const edit = eventEdit(options)
      return changed(options, async operator => {
        const edited = Object.keys(edit).length === 0 ? code : await operator.editMarket(code, edit)
        if (given === undefined) return edited
        return image === undefined ? operator.removeMarketImage(code) : operator.setMarketImage(code, image)
      })
    }),
  )
}

function listCommand(): Command {
  return addConnection(command('list', 'list events', ['raay event list --status open --json']))
    .addOption(choice('--status <status>', 'only events with this status', MARKET_STATUSES))
    .addOption(option('--category <word>', 'only events of this category'))
    .action(
      printing(
        async (options: Connection & { readonly status?: MarketStatus; readonly category?: string }) => {
          const { status, category } = options
          const query = {
            limit: Number.POSITIVE_INFINITY,
            ...(status !== undefined && { status }),
            ...(category !== undefined && { category }),
          }
          const events = await withExchange(options, client => client.fetchMarkets(query))
          return options.json ? json(events) : eventTable(events)
        },
      ),
    )
}

function showCommand(): Command {
  return addConnection(withCode(command('show', 'show one event', ['raay event show 1000001']))).action(
    printing(async (code: string, options: Connection) => {
      const event = await withExchange(options, client => client.fetchMarket(code))
      return options.json ? json(event) : eventSheet(event)
    }),
  )
}

/** Makes an action that takes nothing but the code of an event. */
function changeCommand(
  name: string,
  description: string,
  methodOf: (operator: Operator) => (code: string) => Promise<Market>,
): Command {
  const made = command(name, description, [`raay event ${name} 1000001`])
  return addConnection(withCode(made)).action(
    printing((code: string, options: Connection) =>
      changed(options, operator => methodOf(operator).call(operator, code)),
    ),
  )
}

function resolveCommand(): Command {
  const made = command('resolve', 'set the outcome of a closed event; pays the winners', [
    'raay event resolve 1000001 yes --source-url https://example.org/result --note "Final at 18:00"',
  ])
  return addConnection(withSource(withCode(made).argument('<yes|no>', 'the outcome', outcomeIn))).action(
    printing((code: string, outcome: 'yes' | 'no', options: ResolveOptions) =>
      changed(options, operator => operator.resolveMarket(code, resolutionOf(outcome, options))),
    ),
  )
}

function voidCommand(): Command {
  const made = command('void', 'reverse every trade of an unresolved event and refund it', [
    'raay event void 1000002 --note "The match was called off"',
  ])
  return addConnection(withSource(withCode(made))).action(
    printing((code: string, options: ResolveOptions) =>
      changed(options, operator => operator.resolveMarket(code, resolutionOf('void', options))),
    ),
  )
}

/** Sends a change and prints the event after it. */
async function changed(
  options: Connection,
  change: (operator: Operator) => Promise<Market | string>,
): Promise<string> {
  const event = await withExchange(options, async client => {
    const answer = await change(client.operator)
    return typeof answer === 'object' ? answer : client.fetchMarket(String(answer))
  })
  return options.json ? json(event) : eventLine(event)
}

function resolutionOf(outcome: Resolution['outcome'], options: ResolveOptions): Resolution {
  const { sourceUrl, note: text } = options
  return {
    outcome,
    ...(sourceUrl !== undefined && { source_url: sourceUrl }),
    ...(text !== undefined && { note: text }),
  }
}

function outcomeIn(text: string): string {
  if (text === 'yes' || text === 'no') return text
  throw new UsageError(`"${text}" is not a valid outcome: give yes or no, or use raay event void`)
}

function withCode(made: Command): Command {
  return made.argument('<code>', 'seven digits, such as 1000001', eventCode)
}

function withSource(made: Command): Command {
  return made
    .addOption(option('--source-url <url>', 'where the outcome is published'))
    .addOption(option('--note <text>', 'a remark for traders'))
}

/** The body of a change of an event's image. */
type NewImage = { readonly emoji: string } | { readonly picture: string }

/** Written in ASCII alone, so no emoji. */
const ASCII = /^[ -~]*$/
const BYTES_MAX = 2_000_000

/** Returns the image of an event: a file if there is one of that name, else an emoji. Throws UsageError. */
function eventImage(given: string): NewImage {
  const file = statSync(given, { throwIfNoEntry: false })
  if (file?.isFile() !== true) {
    if (!ASCII.test(given)) return { emoji: given }
    throw new UsageError(`--image is ${given}: give one emoji, or a PNG, JPEG or WebP file`)
  }
  if (file.size > BYTES_MAX) throw new UsageError(`--image is ${given}: give a file of at most 2 MB`)
  return { picture: readFileSync(given, 'base64') }
}
