import type { GroupHouseQuotes, HouseCalls, HouseQuotes, RaayClient } from '../../client/node-client.js'
import { UsageError } from '../exit-errors.js'
import { eventCode } from '../input/event-code.js'
import { number } from '../input/number.js'
import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { option } from '../options.js'
import { json, printing } from '../run-verb.js'
import { printable } from '../terminal/printable.js'
import { shortened, table } from '../terminal/table.js'
import type { Connection } from '../with-exchange.js'
import { addConnection, withExchange } from '../with-exchange.js'

interface LiquidityOptions extends Connection {
  readonly budget?: number
  readonly startPrice?: number
  readonly step?: number
  readonly preview?: true
  readonly stop?: true
}

const LABEL_LENGTH = 32
const HEAD = ['code', 'status', 'budget', 'worst case', 'if YES', 'if NO', 'bid', 'ask', 'title']

/** `raay event liquidity`: house quotes of an event. */
export function eventLiquidityCommand(): Command {
  const made = liquidityCommand('event', 'seven digits, such as 1000001', [
    'raay event liquidity 1000001 --budget 10000 --start-price 5',
    'raay event liquidity 1000001',
    'raay event liquidity 1000001 --stop',
  ])
  return acting(
    made,
    client => client.operator.house,
    sheet,
    ({ startPrice }) => startPrice === undefined,
  )
}

/** `raay group liquidity`: house quotes of all outcomes of a group. */
export function groupLiquidityCommand(): Command {
  const made = liquidityCommand('group', 'the code of the group: seven digits, such as 1000001', [
    'raay group liquidity 1000001 --budget 10000',
    'raay group liquidity 1000001 --stop',
  ])
  return acting(made, client => client.groups.house, groupSheet)
}

function liquidityCommand(of: 'event' | 'group', code: string, examples: readonly string[]): Command {
  const made = command('liquidity', `fund, show and stop house quotes of ${of}s`, examples)
  note(
    made,
    `With --budget the house quotes both sides, and never loses more than that; without options its quotes
are shown. --stop cancels them and returns its free money.`,
  )
  const start =
    of === 'event' ? 'the YES price to begin at' : 'the YES price of each (default: an even share)'
  return made
    .argument('<code>', code, eventCode)
    .addOption(option('--budget <rupees>', 'given to the house').argParser(number('--budget')))
    .addOption(option('--start-price <rupees>', start).argParser(number('--start-price')))
    .addOption(option('--step <rupees>', 'between its prices').argParser(number('--step')))
    .addOption(option('--preview', 'shows what the budget would quote, and changes nothing'))
    .addOption(option('--stop', 'stops the quotes'))
}

function acting<Quotes>(
  made: Command,
  callsOf: (client: RaayClient) => HouseCalls<Quotes>,
  shown: (quotes: Quotes) => string,
  lacksPrice: (options: LiquidityOptions) => boolean = () => false,
): Command {
  return addConnection(made).action(
    printing(async (code: string, options: LiquidityOptions) => {
      const { budget, startPrice, step, preview, stop } = options
      const terms = [startPrice, step, preview].some(given => given !== undefined)
      if (budget === undefined && terms) throw new UsageError('missing --budget: give what the house gets')
      if (budget !== undefined && stop) throw new UsageError('give either --budget or --stop')
      if (budget !== undefined && lacksPrice(options)) {
        throw new UsageError('missing --start-price: give the YES price to begin at, such as 5')
      }
      const quotes = await withExchange(options, client => {
        const calls = callsOf(client)
        if (stop) return calls.stop(code)
        if (budget === undefined) return calls.fetchQuotes(code)
        const request = {
          budget,
          ...(startPrice !== undefined && { start_price: startPrice }),
          ...(step !== undefined && { step }),
        }
        return preview ? calls.preview(code, request) : calls.fund(code, request)
      })
      if (options.json) return json(quotes)
      return quotes === null ? `${code} has never had house quotes\n` : shown(quotes)
    }),
  )
}

/** Formats the quotes of an event: a line of money, and a line for each side of the book. */
function sheet(quotes: HouseQuotes): string {
  const { event_id, status, budget, worst_case, result_if_yes, result_if_no, yes, no, asks_only } = quotes
  const side = (name: HouseQuotes['rungs'][number]['side']) =>
    quotes.rungs
      .filter(rung => rung.side === name)
      .map(({ price, quantity }) => `${quantity} @ ${price.toFixed(2)}`)
      .join('  ') || '-'
  return [
    `${event_id}: house quotes ${status}, budget ${money(budget)}, worst case ${money(worst_case)}`,
    `if YES ${money(result_if_yes)}, if NO ${money(result_if_no)}, holds ${yes} YES and ${no} NO`,
    `bids ${side('yes')}`,
    `asks ${side('no')}`,
    ...(asks_only ? ['it begins by selling YES only: no price is below the first'] : []),
    '',
  ].join('\n')
}

function groupSheet({ code, budget, worst_case, outcomes }: GroupHouseQuotes): string {
  const rows = outcomes.map(quotes => {
    const best = (side: string) => quotes.rungs.find(rung => rung.side === side)?.price.toFixed(2) ?? '-'
    return [
      ...[quotes.event_id, quotes.status, money(quotes.budget), money(quotes.worst_case)],
      ...[money(quotes.result_if_yes), money(quotes.result_if_no), best('yes'), best('no')],
      shortened(printable(quotes.label), LABEL_LENGTH),
    ]
  })
  const line = `${code}: budget ${money(budget)}, worst case ${money(worst_case)} in all\n`
  return `${line}${table([HEAD, ...rows])}`
}

const money = (rupees: number) => rupees.toFixed(2)
