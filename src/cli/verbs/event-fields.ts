import { EVENT_DEFAULTS as DEFAULTS } from '../../api/events/event-defaults.js'
import { moment, now, WHEN } from '../input/moment-option.js'
import { number } from '../input/number.js'
import type { Command } from '../make-command.js'
import type { Option } from '../options.js'
import { option } from '../options.js'

const IMAGE = 'shown beside the title: one emoji, or a PNG, JPEG or WebP file of at most 2 MB'

/** Adds the options of a new event, with defaults for all but its end. */
export function addCreateOptions(made: Command): Command {
  made.addOption(endOption()).addOption(startOption().default(now(), 'now'))
  made.addOption(option('--description <text>', 'the trading conditions (default: the title)'))
  made.addOption(sotOption().default(DEFAULTS.sot, DEFAULTS.sot))
  made.addOption(minBetOption().default(DEFAULTS.min_bet))
  made.addOption(maxBetOption().default(DEFAULTS.max_bet))
  made.addOption(quantityOption().default(DEFAULTS.quantity))
  made.addOption(categoryOption()).addOption(sourceUrlOption())
  made.addOption(option('--image <emoji or file>', IMAGE))
  addFeeOptions(made)
  return made
    .addOption(
      option('--payout <rupees>', 'pays per winning contract, 1 to 100 (default: 10)').argParser(
        number('--payout'),
      ),
    )
    .addOption(
      option('--tick-size <rupees>', '0.01, 0.05, 0.1 or 0.5 (default: 0.01)').argParser(
        number('--tick-size'),
      ),
    )
}

/** Adds the options of a change to an event. */
export function addEditOptions(made: Command): Command {
  made.addOption(option('--title <text>', 'the question'))
  made.addOption(option('--description <text>', 'the trading conditions'))
  made.addOption(startOption()).addOption(endOption()).addOption(sotOption())
  made.addOption(categoryOption()).addOption(sourceUrlOption())
  made.addOption(option('--image <emoji or file>', `${IMAGE}; "" for none`))
  addFeeOptions(made)
  return made.addOption(minBetOption()).addOption(maxBetOption()).addOption(quantityOption())
}

function addFeeOptions(made: Command): void {
  for (const [name, who] of [
    ['--fee-taker', 'orders that fill on arrival'],
    ['--fee-maker', 'orders that rested before'],
  ] as const) {
    const help = `fee of ${who}, 0 to 1000 (default: that of the category or the exchange)`
    made.addOption(option(`${name} <basis points>`, help).argParser(number(name)))
  }
}

function startOption(): Option {
  return option('--start <when>', 'when trading opens, like --end').argParser(moment('--start'))
}

function endOption(): Option {
  return option('--end <when>', `when trading ends: ${WHEN}`).argParser(moment('--end'))
}

function sotOption(): Option {
  return option('--sot <text>', 'the source of truth: who decides the result, such as IMD or ICC')
}

function categoryOption(): Option {
  return option('--category <word>', 'for the filter of the list, such as Cricket; "" for none')
}

function sourceUrlOption(): Option {
  return option('--source-url <url>', 'where the result will be published; "" for none')
}

function minBetOption(): Option {
  return option('--min-bet <rupees>', 'minimum order value').argParser(number('--min-bet'))
}

function maxBetOption(): Option {
  return option('--max-bet <rupees>', 'maximum order value').argParser(number('--max-bet'))
}

function quantityOption(): Option {
  return option('--quantity <n>', 'open-interest cap: the most YES/NO pairs that may exist').argParser(
    number('--quantity'),
  )
}
