import type { Quote, ReplacedQuotes } from '../../client/node-client.js'
import { UsageError } from '../exit-errors.js'
import { eventCode } from '../input/event-code.js'
import { offerIn } from '../input/offer.js'
import { ofUser, userIn, userOption } from '../input/order-user.js'
import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { option } from '../options.js'
import { json, printing } from '../run-verb.js'
import type { Connection } from '../with-exchange.js'
import { addConnection, withExchange } from '../with-exchange.js'
import { orderLine } from './order-text.js'

const NOTHING_DONE = 1
const USAGE = '<code> buy|sell <quantity> [yes|no] @ <price>, … | <code> --none'
const DEFAULT_SET = 'default'

interface QuotesOptions extends Connection {
  readonly user?: string
  readonly set: string
  readonly none?: true
}

/** `raay order quotes`: replaces the quotes of a user in an event in one step. */
export function quotesCommand(): Command {
  const made = command('quotes', "replace a user's quotes in an event, in one step", [
    'raay order quotes 1000001 buy 10 @ 4.8, sell 10 @ 5.2 --user mira',
    'raay order quotes 1000001 --none --user mira',
  ])
  note(
    made,
    `Quotes that are unchanged or smaller keep their place in the queue; the others of the set end, and new
ones are placed post-only. The price is that of the outcome named, YES by default.

Exit codes: 0 done, 1 not reachable, refused, or one of the quotes is rejected, 2 wrong use.`,
  )
  return addConnection(
    made
      .usage(`${USAGE} [options]`)
      .argument('<words...>')
      .addOption(userOption('whose quotes; a new user starts with play money'))
      .addOption(option('--set <name>', 'the set of quotes to replace').default(DEFAULT_SET))
      .addOption(option('--none', 'end all quotes of the set')),
  ).action(printing(replace))
}

async function replace([code, ...words]: readonly string[], options: QuotesOptions): Promise<string> {
  const event = eventCode(code ?? '')
  const quotes = quotesIn(event, words)
  if ((quotes.length === 0) !== (options.none === true)) throw new UsageError(usage())
  const which = { ...ofUser(userIn(options)), quoteSet: options.set }
  const replaced = await withExchange(options, client => client.maker.replaceQuotes(event, quotes, which))
  if (replaced.results.some(({ result }) => result === 'rejected')) process.exitCode = NOTHING_DONE
  return options.json ? json(replaced) : replacedText(replaced)
}

/** Reads quotes from words such as `buy 10 @ 4.8, sell 10 no @ 5.2`. Throws UsageError. */
function quotesIn(event: string, words: readonly string[]): Quote[] {
  if (words.length === 0) return []
  return words
    .join(' ')
    .split(',')
    .map(text => {
      const offer = offerIn([event, ...text.trim().split(/ +/)])
      if (offer === undefined) throw new UsageError(usage())
      if (offer.order_type === 'MO') throw new UsageError('a quote needs a price, such as 4.8')
      const { offer_type, outcome, price, quantity } = offer
      return { offer_type, price, quantity, ...(outcome !== undefined && { outcome }) }
    })
}

function replacedText({ results, ended }: ReplacedQuotes): string {
  const lines = results.map(({ result, order }) => `${result.padEnd(PLACE)} ${orderLine(order)}`)
  return `${lines.join('')}${ended} ${ended === 1 ? 'quote has' : 'quotes have'} ended.\n`
}

/** The width of the longest result, `rejected`. */
const PLACE = 8

const usage = () => `usage: raay order quotes ${USAGE}`
