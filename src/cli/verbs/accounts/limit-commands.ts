import type { UserLimits } from '../../../client/node-client.js'
import { UsageError } from '../../exit-errors.js'
import { numberOf } from '../../input/number.js'
import type { Command } from '../../make-command.js'
import { command, note } from '../../make-command.js'
import { option } from '../../options.js'
import { json, printing } from '../../run-verb.js'
import { rupees } from '../../terminal/figures.js'
import { printable } from '../../terminal/printable.js'
import { table } from '../../terminal/table.js'
import type { Connection } from '../../with-exchange.js'
import { addConnection, withExchange } from '../../with-exchange.js'

const NONE = 'none'

interface SuspendOptions extends Connection {
  readonly reason?: string
}

interface LimitOptions extends Connection {
  readonly orderValue?: string
  readonly openOrders?: string
}

type Change = Parameters<Parameters<Parameters<typeof withExchange>[1]>[0]['operator']['setUserLimits']>[1]

/** The actions of `raay user` that suspend trading and limit orders. */
export function limitCommands(): Command[] {
  return [
    addConnection(
      command('suspend', "refuse a user's new orders; cancels stay possible", [
        'raay user suspend asha --reason "Identity check pending"',
      ])
        .argument('<userid>')
        .addOption(option('--reason <text>', 'why, which the user can read')),
    ).action(
      printing((userid: string, { reason, ...options }: SuspendOptions) =>
        changed(userid, options, { suspended: true, ...(reason !== undefined && { reason }) }),
      ),
    ),
    addConnection(
      command('resume', 'let a suspended user trade again', ['raay user resume asha']).argument('<userid>'),
    ).action(
      printing((userid: string, options: Connection) => changed(userid, options, { suspended: false })),
    ),
    limitCommand(),
  ]
}

function limitCommand(): Command {
  const made = command('limit', "show or change the limits of a user's orders", [
    'raay user limit asha',
    'raay user limit asha --order-value 500 --open-orders 20',
    'raay user limit asha --order-value none',
  ])
  note(made, 'Without options it shows the limits. Orders already in the book stay.')
  return addConnection(
    made
      .argument('<userid>')
      .addOption(option('--order-value <rupees>', `the most that one order may be worth, or ${NONE}`))
      .addOption(option('--open-orders <n>', `the most open orders, or ${NONE}`)),
  ).action(printing(limit))
}

async function limit(userid: string, options: LimitOptions): Promise<string> {
  const { orderValue, openOrders } = options
  const change: Change = {
    ...(orderValue !== undefined && { order_value_max: boundOf('--order-value', orderValue) }),
    ...(openOrders !== undefined && { open_orders_max: boundOf('--open-orders', openOrders) }),
  }
  if (Object.keys(change).length > 0) return changed(userid, options, change)
  const limits = await withExchange(options, ({ operator }) => operator.fetchUserLimits(userid))
  return options.json ? json(limits) : limitsSheet(limits)
}

async function changed(userid: string, options: Connection, change: Change): Promise<string> {
  const limits = await withExchange(options, ({ operator }) => operator.setUserLimits(userid, change))
  return options.json ? json(limits) : limitsSheet(limits)
}

function boundOf(name: string, text: string): number | null {
  if (text === NONE) return null
  const bound = numberOf(name, text)
  if (bound > 0) return bound
  throw new UsageError(`${name}: give a number above 0, or ${NONE}`)
}

/** Formats the limits of a user. */
function limitsSheet({ userid, suspended, reason, order_value_max, open_orders_max }: UserLimits): string {
  const why = reason === null || reason === '' ? '' : `: ${printable(reason)}`
  return table([
    ['user', printable(userid)],
    ['trading', suspended ? `suspended${why}` : 'allowed'],
    ['order value', order_value_max === null ? NONE : `at most ${rupees(order_value_max)}`],
    ['open orders', open_orders_max === null ? NONE : `at most ${open_orders_max}`],
  ])
}
