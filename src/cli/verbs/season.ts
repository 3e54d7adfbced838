import type { Season, Seasons, SeasonTurn } from '../../client/node-client.js'
import { SEASONS_MAX } from '../../core/season.js'
import { UsageError } from '../exit-errors.js'
import { moment, WHEN } from '../input/moment-option.js'
import { number, wholeNumber } from '../input/number.js'
import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { option } from '../options.js'
import { json, printing } from '../run-verb.js'
import { printable } from '../terminal/printable.js'
import { minute, table } from '../terminal/table.js'
import type { Connection } from '../with-exchange.js'
import { addConnection, withExchange } from '../with-exchange.js'

interface Fields extends Connection {
  readonly name?: string
  readonly from?: string
  readonly to?: string
  readonly stake?: number
}

const HEAD = ['number', 'status', 'starts (UTC)', 'ends (UTC)', 'stake', 'name']

/** `raay season <action> …`: seasons, in which everyone starts afresh with the same money. */
export function seasonCommand(): Command {
  const made = command('season', 'plan seasons: everyone starts afresh with the same money', [
    'raay season create Autumn --from 2026-12-01T00:00Z --to 2027-03-01T00:00Z --stake 10000',
    'raay season list',
    'raay season turn 1',
  ])
  note(
    made,
    `All actions but list are for the operator. At its start a season cancels all open orders of users and
sets their cash to the stake, less what they have put into open events.`,
  )
  for (const action of [createCommand(), editCommand(), listCommand(), turnCommand(), deleteCommand()]) {
    made.addCommand(action)
  }
  return made
}

function createCommand(): Command {
  const made = command('create', 'create a season that starts in the future', [
    'raay season create Autumn --from 2026-12-01T00:00Z --to 2027-03-01T00:00Z --stake 10000',
  ])
  return addConnection(addFields(made.argument('<name>'))).action(
    printing((name: string, options: Fields) => {
      const { from, to, stake } = options
      if (from === undefined) throw new UsageError('missing --from: say when it starts')
      if (to === undefined) throw new UsageError('missing --to: say when it ends')
      if (stake === undefined) throw new UsageError('missing --stake: say with how many rupees users start')
      const request = { name, starts_at: from, ends_at: to, stake }
      return changed(options, seasons => seasons.create(request))
    }),
  )
}

function editCommand(): Command {
  const made = command('edit', 'edit a season before its start', ['raay season edit 1 --stake 5000'])
  const named = made.addOption(option('--name <text>', 'its name'))
  return addConnection(addFields(withNumber(named))).action(
    printing((season: number, options: Fields) => {
      const { name, from, to, stake } = options
      const edit = {
        ...(name !== undefined && { name }),
        ...(from !== undefined && { starts_at: from }),
        ...(to !== undefined && { ends_at: to }),
        ...(stake !== undefined && { stake }),
      }
      return changed(options, seasons => seasons.edit(season, edit))
    }),
  )
}

function listCommand(): Command {
  return addConnection(command('list', 'list seasons', ['raay season list --json'])).action(
    printing(async (options: Connection) => {
      const seasons = await withExchange(options, client => client.seasons.fetchSeasons())
      return options.json ? json(seasons) : table([HEAD, ...seasons.map(cellsOf)])
    }),
  )
}

function turnCommand(): Command {
  const made = command('turn', 'say what the start of a season would do now', ['raay season turn 1'])
  return addConnection(withNumber(made)).action(
    printing(async (season: number, options: Connection) => {
      const turn = await withExchange(options, client => client.seasons.fetchTurn(season))
      return options.json ? json(turn) : turnText(turn)
    }),
  )
}

function deleteCommand(): Command {
  const made = command('delete', 'delete a season before its start', ['raay season delete 1'])
  return addConnection(withNumber(made)).action(
    printing(async (season: number, options: Connection) => {
      await withExchange(options, client => client.seasons.delete(season))
      return options.json ? json({ deleted: season }) : `season ${season} is deleted\n`
    }),
  )
}

async function changed(options: Connection, change: (seasons: Seasons) => Promise<Season>): Promise<string> {
  const season = await withExchange(options, client => change(client.seasons))
  return options.json ? json(season) : seasonLine(season)
}

/** Formats a season as one line. */
function seasonLine({ season, status, starts_at, ends_at, stake, name }: Season): string {
  const time = `from ${minute(starts_at)} to ${minute(ends_at)} UTC`
  return `${season} is ${status} ${time}, ₹${stake.toFixed(2)}: ${printable(name)}\n`
}

function cellsOf({ season, status, starts_at, ends_at, stake, name }: Season): string[] {
  return [String(season), status, minute(starts_at), minute(ends_at), stake.toFixed(2), printable(name)]
}

function turnText({
  users,
  changed: count,
  open_orders,
  deposits,
  withdrawals,
  floored,
}: SeasonTurn): string {
  return table([
    ['users', String(users)],
    ['users whose money changes', String(count)],
    ['open orders cancelled', String(open_orders)],
    ['paid in', `₹${deposits.toFixed(2)}`],
    ['paid out', `₹${withdrawals.toFixed(2)}`],
    ['users left without cash', String(floored)],
  ])
}

function withNumber(made: Command): Command {
  const what = 'the number of the season, such as 1'
  return made.argument('<number>', what, wholeNumber('<number>', 1, SEASONS_MAX))
}

function addFields(made: Command): Command {
  return made
    .addOption(option('--from <when>', `when it starts: ${WHEN}`).argParser(moment('--from')))
    .addOption(option('--to <when>', 'when it ends, like --from').argParser(moment('--to')))
    .addOption(option('--stake <rupees>', 'the money of each user at its start').argParser(number('--stake')))
}
