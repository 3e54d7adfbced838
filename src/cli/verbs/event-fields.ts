import { EVENT_DEFAULTS as DEFAULTS } from '../input/event-body.js'
import { moment, now } from '../input/moment-option.js'
import { number } from '../input/number.js'
import type { Command } from '../make-command.js'
import type { Option } from '../options.js'
import { option } from '../options.js'

const WHEN = '2026-12-31T18:30:00Z, 2026-12-31T18:30+05:30, 2026-12-31 (midnight UTC), now, +7d, +1d12h'

/** Adds the options of a new event, with defaults for all but its end. */
export function addCreateOptions(made: Command): Command {
  made.addOption(endOption()).addOption(startOption().default(now(), 'now'))
  made.addOption(option('--description <text>', 'the trading conditions (default: the title)'))
  made.addOption(sotOption().default(DEFAULTS.sot, DEFAULTS.sot))
  made.addOption(minBetOption().default(DEFAULTS.minBet)).addOption(maxBetOption().default(DEFAULTS.maxBet))
  made.addOption(quantityOption().default(DEFAULTS.quantity))
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
  return made.addOption(minBetOption()).addOption(maxBetOption()).addOption(quantityOption())
}

function startOption(): Option {
  return option('--start <when>', 'when trading opens, like --end').argParser(moment('--start'))
}

function endOption(): Option {
  return option('--end <when>', `when trading ends: ${WHEN}`).argParser(moment('--end'))
}

function sotOption(): Option {
  return option('--sot <word>', 'category, such as crypto or sports')
}

function minBetOption(): Option {
  return option('--min-bet <rupees>', 'smallest order').argParser(number('--min-bet'))
}

function maxBetOption(): Option {
  return option('--max-bet <rupees>', 'largest order').argParser(number('--max-bet'))
}

function quantityOption(): Option {
  return option('--quantity <n>', 'open-interest cap, in contracts').argParser(number('--quantity'))
}
