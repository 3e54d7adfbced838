import type { Command, CreateOrder, ReplaceOrder, ReplaceQuotes, RequoteHouse } from '../../core/command.js'
import { escrowsOf, resultsOf } from '../../core/command-effects.js'
import { conversionEffect } from '../../core/conversion.js'
import type { Convert } from '../../core/group-command.js'
import { oppositeSide } from '../../core/order.js'
import { newOrderRecord } from '../../core/order-record.js'
import type { OrderNumber, QuantityLots, TimeMs } from '../../core/units.js'
import { amount } from '../../core/units.js'
import type { Desk } from '../desk.js'

/**
 * Brings the desk's memory to where the admission of commands left that of the exchange that decided them:
 * money is held, contracts are locked, orders and accounts have arrived. `applyCommitted` ends all of it. The
 * other one may have held more at that time, never less, so that each hold is within what is available.
 *
 * Leaves out what only an admission looks at, such as reductions in flight: a standby admits nothing.
 */
export function takeCommands(desk: Desk, commands: readonly Command[], at: TimeMs): void {
  for (const command of commands) take(desk, command, at)
}

function take(desk: Desk, command: Command, at: TimeMs): void {
  const { ledger, users } = desk
  switch (command.type) {
    case 'OPEN_ACCOUNT':
      users.noteTaken(command.account)
      users.noteName(command.userId)
      ledger.openPending(command.account, command.amount)
      break
    case 'CREATE_MARKET':
    case 'CREATE_GROUP':
      for (const [escrow] of escrowsOf(command)) users.noteTaken(escrow)
      break
    case 'CONVERT':
      takeConversion(desk, command)
      break
    case 'CREATE_ORDER':
      takeOrder(desk, command, at)
      break
    case 'REPLACE_ORDER':
      takeReplacement(desk, command, at)
      break
    case 'REPLACE_QUOTES':
    case 'REQUOTE_HOUSE':
      takeQuotes(desk, command, at)
      break
    case 'FUND_QUOTES':
      users.noteTaken(command.account)
      ledger.payIn(command.budget)
      break
    case 'RETURN_HOUSE_MONEY':
      ledger.hold(command.account, command.amount)
      break
    case 'MERGE_PAIRS':
      ledger.lock(command.market, command.account, 'yes', command.quantity)
      ledger.lock(command.market, command.account, 'no', command.quantity)
      break
    case 'TRANSFER_MONEY':
      if (command.direction === 'deposit') ledger.payIn(command.amount)
      else ledger.hold(command.account, command.amount)
      break
    case 'SETTLE_POSITIONS':
      for (const [account, , , , held] of command.positions) ledger.hold(account, held)
      break
    case 'MOVE_MARKET':
      desk.market(command.market).pendingStatus = command.to
      break
    default:
      for (const { market: code, outcome } of resultsOf(command)) {
        const market = desk.market(code)
        market.pendingStatus = outcome === 'void' ? 'voided' : 'resolved'
        market.pendingOutcome = outcome
      }
  }
}

function takeConversion({ groups, ledger }: Desk, command: Convert): void {
  const { takes, cash } = conversionEffect(command, groups.get(command.group).terms.payout)
  for (const market of takes.markets) ledger.lock(market, command.account, takes.side, command.lots)
  if (cash < 0) ledger.hold(command.account, amount(-cash))
}

function takeOrder(desk: Desk, order: CreateOrder, at: TimeMs): void {
  const { admission, account } = order
  if ('hold' in admission) {
    desk.ledger.hold(account, admission.hold)
    lockFor(desk, order, admission.covered)
  }
  arrive(desk, order, at)
}

function takeReplacement(desk: Desk, command: ReplaceOrder, at: TimeMs): void {
  const { number, order, extraHold, extraCovered } = command
  desk.ledger.hold(order.account, extraHold)
  lockFor(desk, order, extraCovered)
  arrive(desk, order, at, number)
}

function takeQuotes(desk: Desk, command: ReplaceQuotes | RequoteHouse, at: TimeMs): void {
  const { market: code, account, extraHold, extraYes, extraNo, cuts, orders } = command
  desk.ledger.hold(account, extraHold)
  desk.ledger.lock(code, account, 'yes', extraYes)
  desk.ledger.lock(code, account, 'no', extraNo)
  const market = desk.market(code)
  const ending = cuts.filter(([, by]) => by === undefined)
  for (const [index, order] of orders.entries()) {
    market.noteNumber(order.number)
    desk.arriveQuote(market, newOrderRecord(order, at), index < ending.length)
  }
}

function lockFor({ ledger }: Desk, { market, account, data }: CreateOrder, covered: QuantityLots): void {
  ledger.lock(market, account, oppositeSide(data.side), covered)
}

function arrive(desk: Desk, order: CreateOrder, at: TimeMs, replaced?: OrderNumber): void {
  const market = desk.market(order.market)
  market.noteNumber(order.number)
  desk.arrive(market, newOrderRecord(order, at), replaced)
}
