import { once } from 'node:events'
import type { Test } from 'tap'
import t from 'tap'
import { WebSocket } from 'ws'
import type { AccessOptions } from '../../src/access/access.js'
import { CALLERS, callersTokens, SIGNS, tokenOf } from '../fixtures/access-callers.js'
import type { ServerMessage } from '../fixtures/sockets/ws-client.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'
import type { TestWindow } from '../fixtures/sockets/ws-window.js'
import { openTestWindow } from '../fixtures/sockets/ws-window.js'

const MODES: Readonly<Record<string, Partial<AccessOptions>>> = {
  open: {},
  accounts: { mode: 'accounts' },
  jwt: { mode: 'jwt' },
  public: { mode: 'jwt', publicReads: true },
}

const ALL = '+ + + + + + + + + + + + + +'
/** Everybody whose handshake was accepted. */
const CONNECTED = '+ x e x + + + + + + + + + +'

/** All are refused with the same sign. */
function refused(sign: string): string {
  return CALLERS.map(() => sign).join(' ')
}

/** The same cells in all modes but `open`. */
function unlessOpen(open: string, cells: string): Readonly<Record<string, string>> {
  return { open, accounts: cells, jwt: cells, public: cells }
}

/**
 * The cells of each message, in the order in which a connection sends them. The signs are those of the table
 * of routes; `t` is refused because the connection belongs to another user. Outside the mode `open` a wrong
 * token is refused at the handshake.
 */
const MESSAGES: readonly (readonly [message: unknown, cells: Readonly<Record<string, string>>])[] = [
  [['subscribe_orderbook', '1000001'], { ...unlessOpen(ALL, CONNECTED), jwt: '? x e x + + + + + + s s s +' }],
  [['unsubscribe_orderbook', '1000001'], unlessOpen(ALL, CONNECTED)],
  [['subscribe_user', 'asha'], unlessOpen(ALL, '? x e x u + + + + + s s s +')],
  [['unsubscribe_user', 'asha'], unlessOpen(ALL, CONNECTED)],
  [['cancel_on_disconnect', { userid: 'asha' }], unlessOpen(ALL, '? x e x u s + + + s + s s +')],
  [['authenticate', { token: 'rs_forged' }], unlessOpen(refused('x'), 'x x e x x x x x x x x x x x')],
  [['authenticate', { token: 'rs_expired' }], unlessOpen(refused('e'), 'e x e x e e e e e e e e e e')],
  [['authenticate', { token: 'rs_revoked' }], unlessOpen(refused('x'), 'x x e x x x x x x x x x x x')],
  [['authenticate', { token: 'rs_trader' }], unlessOpen(ALL, '+ x e x t + + t t + + t t t')],
]

const REASONS: Readonly<Record<string, string>> = { ...SIGNS, socket_taken: 't' }

t.test('each message of each caller is answered in each mode as the table says', async t => {
  for (const [mode, options] of Object.entries(MODES)) {
    const tokens = callersTokens()
    const window = await openTestWindow(t, { ...options, finder: tokens, verifier: tokens })
    t.equal(await window.client.createEvent(), '1000001')
    const rows = MESSAGES.map((): string[] => [])
    for (const [caller] of CALLERS) {
      const cells = await cellsOf(t, window, caller)
      for (const [index, row] of rows.entries()) row.push(cells[index] ?? '')
    }
    for (const [index, [message, cells]] of MESSAGES.entries()) {
      t.equal(rows[index]?.join(' '), cells[mode], `${mode}: ${JSON.stringify(message)}`)
    }
  }
})

t.test('every message that the exchange understands is in the table', async t => {
  const window = await openTestWindow(t)
  const socket = await WsClient.connect(t, window.client.wsUrl())
  const { data } = (await socket.ask(['nothing'])) as ServerMessage & { data: { message: string } }
  const understood = [...data.message.matchAll(/'(\w+)'/g)].map(([, verb]) => verb).slice(0, -1)
  t.same(new Set(understood), new Set(MESSAGES.map(([message]) => (message as [string])[0])))
  t.ok(understood.length >= 6)
})

/** Returns how each message of a connection of the caller is answered. */
async function cellsOf(t: Test, { client }: TestWindow, caller: string): Promise<string[]> {
  const token = tokenOf(caller)
  const options = { headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } }
  const refusal = await refusalOf(client.wsUrl(), options)
  if (refusal !== undefined) return MESSAGES.map(() => REASONS[refusal] ?? refusal)
  const socket = await WsClient.connect(t, client.wsUrl(), options)
  const cells: string[] = []
  for (const [message] of MESSAGES) {
    const answer = (await socket.ask(message)) as ServerMessage & { reason?: string }
    if (answer.event !== 'error') cells.push('+')
    else cells.push(REASONS[answer.reason ?? ''] ?? answer.reason ?? JSON.stringify(answer))
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
