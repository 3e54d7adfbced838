import { computed, effect, signal, untracked } from '@preact/signals'
import { isShutOut } from '../auth/auth-session.js'
import type { Balance, Order, Position, ValuedPosition } from '../../client/shapes.js'
import { exchange } from './exchange-client.js'
import { exchangeFacts, fetchExchangeFacts } from './exchange-facts.js'
import { frameSignal } from './market/frame-signal.js'
import type { PacedTask } from './market/paced-task.js'
import { pacedTask, pageSpread } from './market/paced-task.js'
import { userId } from './session.js'
import { checkSession } from './session-watch.js'
import { countWatch } from './watching.js'

interface Account {
  readonly balance: Balance | undefined
  /** Open orders, newest first. */
  readonly orders: readonly Order[] | undefined
  readonly positions: readonly Position[] | undefined
  /** Cost and P&L of the positions by event, fetched again when contracts or prices change. */
  readonly valued: ReadonlyMap<string, ValuedPosition>
}

const NO_ACCOUNT: Account = {
  balance: undefined,
  orders: undefined,
  positions: undefined,
  valued: new Map(),
}

/** The user’s live account; parts are undefined until the exchange has sent them. */
export const account = signal<Account>(NO_ACCOUNT)

/** Available rupees; for a new user, the welcome bonus that comes with the first order. */
export const usableMoney = computed(
  () => account.value.balance?.available ?? exchangeFacts.value.startingBalance,
)

/** Follows the channel of the current user. */
export function startAccount(): void {
  effect(() => {
    if (isShutOut.value === false) void fetchExchangeFacts()
  })
  effect(() => {
    const name = userId.value
    return untracked(() => {
      account.value = NO_ACCOUNT
      return name === undefined ? undefined : follow(name)
    })
  })
}

const VALUES_GAP_MS = 2000
let values: PacedTask | undefined

/** Fetches cost and P&L again soon, because a price has changed. */
export function askForValues(): void {
  values?.ask()
}

function follow(userid: string): () => void {
  const uncount = countWatch()
  const state = frameSignal(() => ({
    balance: balances.state,
    orders: orders.state,
    positions: positions.state,
  }))
  const listener = {
    onUpdate: state.touch,
    onError: (error: unknown) => {
      state.touch()
      checkSession(error)
    },
  }
  const balances = exchange.watchBalance({ userid }, listener)
  const orders = exchange.watchOrders({ userid }, listener)
  const positions = exchange.watchPositions({ userid }, listener)
  let contracts = '[]'
  let isOver = false
  const task = pacedTask(
    async () => {
      // A user without contracts may have no account yet.
      const { positions = [] } = account.peek()
      if (!document.hidden && positions.length > 0) await valuePositions(userid, () => isOver)
    },
    { soonMs: pageSpread(), gapMs: VALUES_GAP_MS },
  )
  values = task
  document.addEventListener('visibilitychange', task.ask)
  const stop = state.value.subscribe(now => {
    if (now === undefined) return
    account.value = { ...account.peek(), ...now }
    const contractsNow = JSON.stringify(now.positions ?? [])
    if (contractsNow === contracts) return
    contracts = contractsNow
    void valuePositions(userid, () => isOver)
  })
  return () => {
    isOver = true
    document.removeEventListener('visibilitychange', task.ask)
    task.stop()
    uncount()
    stop()
    state.stop()
    for (const watch of [balances, orders, positions]) watch.close()
  }
}

/** Fetches cost and P&L; until then, or if it fails, contracts are shown without them. */
async function valuePositions(userid: string, isOver: () => boolean): Promise<void> {
  const found = await exchange.fetchPositions({ userid }).catch(() => undefined)
  if (found === undefined || isOver()) return
  const before = account.peek()
  // What is as it was makes nobody ask for the worth again.
  if (JSON.stringify(found) === JSON.stringify([...before.valued.values()])) return
  account.value = { ...before, valued: new Map(found.map(position => [position.event_id, position])) }
}
