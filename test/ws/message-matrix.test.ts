import { once } from 'node:events'
import type { Test } from 'tap'
import t from 'tap'
import { WebSocket } from 'ws'
import type { AccessOptions } from '../../src/access/access.js'
import type { MessageNeeds } from '../../src/api/channels/message.js'
import { message, refusalsOf } from '../../src/api/channels/message.js'
import { names, userIdNameField } from '../../src/api/channels/message-data.js'
import type { AnyMessage } from '../../src/api/channels/messages.js'
import { MESSAGES } from '../../src/api/channels/messages.js'
import { subscribed } from '../../src/api/channels/replies.js'
import { SOCKET_LIMITS } from '../../src/api/socket-limits.js'
import { asyncApiDocument } from '../../src/docs/asyncapi/asyncapi.js'
import { handles } from '../../src/ws/message-handler.js'
import { CALLERS, callersTokens, SIGNS, tokenOf } from '../fixtures/access-callers.js'
import type { AsyncApi } from '../fixtures/documented-socket.js'
import { DocumentedSocket } from '../fixtures/documented-socket.js'
import type { ServerMessage } from '../fixtures/sockets/ws-client.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'
import type { TestWindow } from '../fixtures/sockets/ws-window.js'
import { openTestWindow } from '../fixtures/sockets/ws-window.js'

const MODES: Readonly<Record<string, Partial<AccessOptions>>> = {
  open: {},
  accounts: { mode: 'accounts' },
  members: { mode: 'accounts', publicReads: false },
  jwt: { mode: 'jwt' },
  public: { mode: 'jwt', publicReads: true },
}

type Cells = Readonly<Record<string, string>>
type Row = readonly [message: unknown, cells: Cells]

const ALL = '+ + + + + + + + + + + + + +'
/** Everybody whose handshake was accepted. */
const CONNECTED = '+ x e x + + + + + + + + + +'

/** Those who may read where only members may. */
const MEMBERS = '? x e x + + + + + + s s s +'

/** All are refused with the same sign. */
function refused(sign: string): string {
  return CALLERS.map(() => sign).join(' ')
}

/** The same cells in all modes but `open`. */
function unlessOpen(open: string, cells: string): Cells {
  return { open, accounts: cells, members: cells, jwt: cells, public: cells }
}

/**
 * The cells of a message about asha, by what it needs. The signs are those of the table of routes; outside the
 * mode `open` a wrong token is refused at the handshake.
 */
const CELLS: Readonly<Record<MessageNeeds, Cells>> = {
  visit: unlessOpen(ALL, CONNECTED),
  markets: { ...unlessOpen(ALL, CONNECTED), members: MEMBERS, jwt: MEMBERS },
  read: unlessOpen(ALL, '? x e x u + + + + + s s s +'),
  trade: unlessOpen(ALL, '? x e x u s + + + s + s s +'),
}

/** `t` is refused because the connection belongs to another user. */
const TOKENS: readonly Row[] = [
  [['authenticate', { token: 'rs_forged' }], unlessOpen(refused('x'), 'x x e x x x x x x x x x x x')],
  [['authenticate', { token: 'rs_expired' }], unlessOpen(refused('e'), 'e x e x e e e e e e e e e e')],
  [['authenticate', { token: 'rs_revoked' }], unlessOpen(refused('x'), 'x x e x x x x x x x x x x x')],
  [['authenticate', { token: 'rs_trader' }], unlessOpen(ALL, '+ x e x t + + t t + + t t t')],
]

const REASONS: Readonly<Record<string, string>> = { ...SIGNS, socket_taken: 't', order_not_found: 'n' }

/** A message that exists in these tests only. */
const pokeUser = message({
  verb: 'poke_user',
  needs: 'trade',
  // The second is too much.
  cost: { points: SOCKET_LIMITS.asking.points * 0.6 },
  data: names('user ids', userIdNameField),
  userOf: name => name,
  answer: { ...subscribed, event: 'poked' },
  refuses: ['order_not_found'],
  says: 'Poke a user',
  sample: 'asha',
})
const pokes = handles(pokeUser, ({ connection, id, userId }) => {
  connection.answer({ event: 'poked', data: userId, id })
})

/** No order has the ids and names of the samples: `n` for all who may look for it. */
const NO_ORDER = { ...CELLS.trade, ...unlessOpen(refused('n'), '? x e x n s n n n s n s s n') }
/** Those for whose users the caller may not trade are refused one by one, or are not found. */
const EACH = { ...CELLS.trade, ...unlessOpen(ALL, '? x e x + s + + + s + s s +') }

const ORDER_CELLS: Readonly<Record<string, Cells>> = {
  place_orders: EACH,
  amend_order: NO_ORDER,
  cancel_order: { ...NO_ORDER, ...unlessOpen(refused('n'), '? x e x u s n n n s n s s n') },
  cancel_orders: EACH,
}

/** Returns the rows of messages, in the order in which a connection sends them: tokens change the caller. */
function rowsOf(messages: readonly AnyMessage[]): Row[] {
  const sent = messages.filter(({ verb }) => verb !== 'authenticate')
  const rows = sent.map(({ verb, sample, needs, data }): Row => {
    const text = data.kind === 'body' ? { event: verb, data: sample, id: 1 } : [verb, sample]
    return [text, ORDER_CELLS[verb] ?? CELLS[needs]]
  })
  return [...rows, ...TOKENS]
}

function verbIn(sent: unknown): string {
  return Array.isArray(sent) ? ((sent as string[])[0] ?? '') : (sent as { event: string }).event
}

t.test('each message of each caller is answered in each mode as its needs say', async t => {
  const rows = rowsOf([...MESSAGES, pokeUser as AnyMessage])
  for (const [mode, options] of Object.entries(MODES)) {
    const tokens = callersTokens()
    const access = { ...options, finder: tokens, verifier: tokens }
    const cheap = handles({ ...pokeUser, cost: { points: 1 } }, pokes.handle)
    const window = await openTestWindow(t, access, { moreMessages: [cheap] })
    t.equal(await window.client.createEvent(), '1000001')
    t.equal(await window.client.createGroup(), '1000002')
    const found = rows.map((): string[] => [])
    for (const [caller] of CALLERS) {
      const cells = await cellsOf(t, window, caller, rows)
      for (const [index, row] of found.entries()) row.push(cells[index] ?? '')
    }
    for (const [index, [message, cells]] of rows.entries()) {
      t.equal(found[index]?.join(' '), cells[mode], `${mode}: ${JSON.stringify(message)}`)
    }
  }
})

t.test('every message that the exchange understands is in the table', async t => {
  const window = await openTestWindow(t, {}, { moreMessages: [pokes] })
  const socket = await WsClient.connect(t, window.client.wsUrl())
  const { data } = (await socket.ask(['nothing'])) as ServerMessage & { data: { message: string } }
  const understood = [...data.message.matchAll(/'(\w+)'/g)].map(([, verb]) => verb).slice(0, -1)
  t.same(
    understood,
    [...MESSAGES, pokeUser].map(({ verb }) => verb),
  )
  t.same(
    new Set(understood),
    new Set(rowsOf([...MESSAGES, pokeUser as AnyMessage]).map(([message]) => verbIn(message))),
  )
})

t.test('a message that is declared and bound is charged, refused, suggested and documented', async t => {
  const tokens = callersTokens()
  const access = { mode: 'accounts', finder: tokens, verifier: tokens } as const
  const window = await openTestWindow(t, access, { moreMessages: [pokes] })
  const socket = await WsClient.connect(t, window.client.wsUrl(), {
    headers: { Authorization: 'Bearer rs_trader' },
  })
  const meant = await socket.ask(['poke_usr', 'asha'])
  t.match(meant, { event: 'error', data: { code: 422, message: /; did you mean poke_user\?$/ } })
  t.match(await socket.ask(['poke_user', '']), { data: { message: 'data: Expected 1 to 128 characters' } })
  t.match(await socket.ask({ method: 'poke_user', events: ['asha', 'asha', 'asha2'] }), { event: 'poked' })
  t.match(await socket.next(), { event: 'error', data: { code: 429 }, retry_after_ms: Number })
  const other = await WsClient.connect(t, window.client.wsUrl(), {
    headers: { Authorization: 'Bearer rs_other' },
  })
  t.match(await other.ask(['poke_user', 'asha']), { event: 'error', reason: 'other_user' })

  const document = asyncApiDocument('1.2.3', [...MESSAGES, pokeUser as AnyMessage])
  const documented = new DocumentedSocket(JSON.parse(JSON.stringify(document)) as AsyncApi)
  t.same(documented.requests.at(-1), 'pokeUser')
  for (const sample of [['poke_user', 'asha'], { method: 'poke_user', events: ['asha'] }]) {
    t.same(documented.faultsOf('pokeUser', sample), [])
  }
  t.same(documented.faultsIn({ event: 'poked', data: 'asha', id: 1 }), [], 'with its reply')
  t.match(JSON.stringify(document), /Needs the scope `trade`[^"]*Costs 3000 points[^"]*`order_not_found`/)
})

/** Returns how each message of a connection of the caller is answered. */
async function cellsOf(
  t: Test,
  { client }: TestWindow,
  caller: string,
  rows: readonly Row[],
): Promise<string[]> {
  const token = tokenOf(caller)
  const options = { headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } }
  const refusal = await refusalOf(client.wsUrl(), options)
  if (refusal !== undefined) return rows.map(() => REASONS[refusal] ?? refusal)
  const socket = await WsClient.connect(t, client.wsUrl(), options)
  const cells: string[] = []
  for (const [sent] of rows) {
    const answer = (await socket.ask(sent)) as ServerMessage & { reason?: string }
    const verb = verbIn(sent)
    const declared = ([...MESSAGES, pokeUser] as AnyMessage[]).find(message => message.verb === verb)
    if (answer.event === 'error') {
      const reason = answer.reason ?? ''
      if (declared === undefined || !refusalsOf(declared).some(known => known === reason)) {
        t.fail(`${verb} does not declare that it is refused with ${reason}`)
      }
      cells.push(REASONS[reason] ?? reason)
    } else {
      cells.push(answer.event === declared?.answer.event ? '+' : answer.event)
    }
  }
  socket.socket.terminate()
  return cells
}

/** Returns the reason for which a handshake is refused; undefined if it is not. */
async function refusalOf(url: string, options: { readonly headers: Record<string, string> }) {
  const socket = new WebSocket(url, options)
  socket.on('error', () => {})
  const opened = once(socket, 'open').then(() => undefined)
  const refused = once(socket, 'unexpected-response').then(([, response]) => response.headers['raay-reason'])
  const reason = (await Promise.race([opened, refused])) as string | undefined
  socket.terminate()
  return reason
}
