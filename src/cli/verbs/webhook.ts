import { WEBHOOK_EVENTS, WEBHOOK_FORMATS } from '../../api/operator/webhook-shape.js'
import type {
  Webhook,
  WebhookDelivery,
  WebhookEvent,
  WebhookFormat,
  Webhooks,
  WebhookWithSecret,
} from '../../client/node-client.js'
import { Failure, UsageError } from '../exit-errors.js'
import { wholeNumber } from '../input/number.js'
import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { choice, option } from '../options.js'
import { json, printing } from '../run-verb.js'
import { printable } from '../terminal/printable.js'
import { minute, shortened, table } from '../terminal/table.js'
import type { Connection } from '../with-exchange.js'
import { addConnection, withExchange } from '../with-exchange.js'

const ANSWER_LENGTH = 60

interface Fields extends Connection {
  readonly address?: string
  readonly events?: readonly WebhookEvent[]
  readonly format?: WebhookFormat
  readonly enable?: true
  readonly disable?: true
}

/** `raay webhook <action> …`: webhooks, with which the exchange tells other servers what happens. */
export function webhookCommand(): Command {
  const made = command('webhook', 'tell other servers and chats what happens', [
    'raay webhook add https://hooks.example.org/raay --events created,resolved',
    'raay webhook test wh_5dXeq0Pl2k8J',
    'raay webhook deliveries wh_5dXeq0Pl2k8J',
  ])
  note(made, `Events: ${WEBHOOK_EVENTS.join(', ')}`)
  for (const action of [
    addCommand(),
    editCommand(),
    listCommand(),
    showCommand(),
    deliveriesCommand(),
    testCommand(),
    rotateCommand(),
    replayCommand(),
    removeCommand(),
  ]) {
    made.addCommand(addConnection(action))
  }
  return made
}

function addCommand(): Command {
  const made = command('add', 'add a webhook and print its secret; it is shown only once', [
    'raay webhook add https://hooks.example.org/raay --events created,resolved',
    'raay webhook add https://hooks.slack.com/services/T0/B0/X0 --events created --format slack',
  ])
  return addFields(made.argument('<address>')).action(
    printing((url: string, options: Fields) => {
      const { events, format } = options
      if (events === undefined) throw new UsageError('missing --events: say what to send')
      const request = { url, events, ...(format !== undefined && { format }) }
      return withSecret(options, webhooks => webhooks.create(request))
    }),
  )
}

function editCommand(): Command {
  const made = command('edit', 'edit, disable or enable a webhook', [
    'raay webhook edit wh_5dXeq0Pl2k8J --events created,halted,resolved',
    'raay webhook edit wh_5dXeq0Pl2k8J --enable',
  ])
  const named = withId(made)
    .addOption(option('--address <url>', 'where requests go'))
    .addOption(option('--enable', 'go on where it stopped').conflicts('disable'))
    .addOption(option('--disable', 'send nothing'))
  return addFields(named).action(
    printing((id: string, options: Fields) => {
      const { address, events, format, enable, disable } = options
      const edit = {
        ...(address !== undefined && { url: address }),
        ...(events !== undefined && { events }),
        ...(format !== undefined && { format }),
        ...((enable ?? disable) && { is_enabled: enable === true }),
      }
      return asked(options, webhooks => webhooks.edit(id, edit), webhookText)
    }),
  )
}

function listCommand(): Command {
  return command('list', 'list webhooks', ['raay webhook list --json']).action(
    printing((options: Connection) =>
      asked(
        options,
        webhooks => webhooks.fetchWebhooks(),
        found => table([HEAD, ...found.map(cellsOf)]),
      ),
    ),
  )
}

function showCommand(): Command {
  return withId(command('show', 'show a webhook', ['raay webhook show wh_5dXeq0Pl2k8J'])).action(
    printing((id: string, options: Connection) =>
      asked(options, webhooks => webhooks.fetchWebhook(id), webhookText),
    ),
  )
}

function deliveriesCommand(): Command {
  const made = command('deliveries', 'list the last 100 attempts, newest first', [
    'raay webhook deliveries wh_5dXeq0Pl2k8J',
  ])
  return withId(made).action(
    printing((id: string, options: Connection) =>
      asked(
        options,
        webhooks => webhooks.fetchDeliveries(id),
        found => table([['time (UTC)', 'event', 'message', 'ms', 'result'], ...found.map(deliveryCells)]),
      ),
    ),
  )
}

function testCommand(): Command {
  const made = command('test', 'send a test event and say how it was received', [
    'raay webhook test wh_5dXeq0Pl2k8J',
  ])
  return withId(made).action(
    printing(async (id: string, options: Connection) => {
      const delivery = await withExchange(options, client => client.operator.webhooks.test(id))
      const { status, ms } = delivery
      if (status === null || status < 200 || status > 299) {
        throw new Failure(`it was not received: ${resultOf(delivery)}`)
      }
      return options.json ? json(delivery) : `received in ${ms} ms: ${status}\n`
    }),
  )
}

function rotateCommand(): Command {
  const made = command('rotate', 'give a webhook a new secret and print it; it is shown only once', [
    'raay webhook rotate wh_5dXeq0Pl2k8J',
  ])
  return withId(made).action(
    printing((id: string, options: Connection) => withSecret(options, webhooks => webhooks.rotate(id))),
  )
}

function replayCommand(): Command {
  const made = command('replay', 'send everything from a batch of the journal on again', [
    'raay webhook replay wh_5dXeq0Pl2k8J --from 3900',
  ])
  const from = wholeNumber('--from', 1, Number.MAX_SAFE_INTEGER)
  return withId(made)
    .addOption(option('--from <number>', 'the first batch that is sent again').argParser(from))
    .action(
      printing((id: string, options: Connection & { readonly from?: number }) => {
        const { from: from_sequence } = options
        if (from_sequence === undefined) throw new UsageError('missing --from: say from which batch on')
        return asked(options, webhooks => webhooks.replay(id, { from_sequence }), webhookText)
      }),
    )
}

function removeCommand(): Command {
  return withId(command('remove', 'delete a webhook', ['raay webhook remove wh_5dXeq0Pl2k8J'])).action(
    printing(async (id: string, options: Connection) => {
      await withExchange(options, client => client.operator.webhooks.delete(id))
      return options.json ? json({ deleted: id }) : `webhook ${id} is deleted\n`
    }),
  )
}

async function asked<Answer>(
  options: Connection,
  ask: (webhooks: Webhooks) => Promise<Answer>,
  textOf: (answer: Answer) => string,
): Promise<string> {
  const answer = await withExchange(options, client => ask(client.operator.webhooks))
  return options.json ? json(answer) : textOf(answer)
}

/** Prints a secret alone, so that a script can take it. */
function withSecret(
  options: Connection,
  ask: (webhooks: Webhooks) => Promise<WebhookWithSecret>,
): Promise<string> {
  return asked(options, ask, ({ webhook, secret }) => {
    process.stderr.write(`secret of ${webhook}, shown only now:\n`)
    return `${secret}\n`
  })
}

function withId(made: Command): Command {
  return made.argument('<id>', 'as raay webhook list shows it')
}

function addFields(made: Command): Command {
  return made
    .addOption(
      option('--events <list>', 'the events to send, separated by commas: see raay help webhook').argParser(
        eventsIn,
      ),
    )
    .addOption(choice('--format <format>', 'how messages are written', WEBHOOK_FORMATS))
}

function eventsIn(text: string): readonly WebhookEvent[] {
  return text.split(',').map(word => {
    const event = WEBHOOK_EVENTS.find(known => known === word.trim())
    if (event !== undefined) return event
    throw new UsageError(`"${word.trim()}" is no event: give some of ${WEBHOOK_EVENTS.join(', ')}`)
  })
}

const HEAD = ['id', 'state', 'behind', 'failures', 'format', 'address', 'events']

function cellsOf(webhook: Webhook): string[] {
  const { webhook: id, state, failures, format, url, events } = webhook
  return [id, state, behind(webhook), String(failures), format, printable(url), events.join(',')]
}

function webhookText(webhook: Webhook): string {
  const { fingerprint, created_at, next_attempt_at, old_secret_until, reached_sequence } = webhook
  const time = (moment: string | null) => (moment === null ? '-' : `${minute(moment)} UTC`)
  const [id = '', state = '', , failures = '', format = '', url = '', events = ''] = cellsOf(webhook)
  return table([
    ['id', id],
    ['address', url],
    ['fingerprint', fingerprint],
    ['events', events],
    ['format', format],
    ['state', state],
    ['created', time(created_at)],
    ['reached batch', String(reached_sequence)],
    ['behind', behind(webhook)],
    ['failures', failures],
    ['next attempt', time(next_attempt_at)],
    ['old secret until', time(old_secret_until)],
  ])
}

function deliveryCells(delivery: WebhookDelivery): string[] {
  const { at, event, message, ms } = delivery
  return [minute(at), event, message, String(ms), resultOf(delivery)]
}

function resultOf({ status, answer }: WebhookDelivery): string {
  const words = shortened(printable(answer), ANSWER_LENGTH)
  return [status, words].filter(part => part !== null && part !== '').join(' ')
}

function behind({ last_sequence, reached_sequence }: Webhook): string {
  return String(Math.max(0, last_sequence - reached_sequence))
}
