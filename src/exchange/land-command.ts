import { assert } from '../core/assert.js'
import type {
  Command,
  CreateOrder,
  OpenAccount,
  ReplaceOrder,
  ReplaceQuotes,
  RequoteHouse,
  TransferMoney,
} from '../core/command.js'
import { resultsOf } from '../core/command-effects.js'
import type { BeginEpoch } from '../core/epoch.js'
import { epochFault } from '../core/epoch.js'
import type { Ledger } from '../core/ledger.js'
import type { NoteWebhook } from '../core/note.js'
import { isWebhookNote } from '../core/note.js'
import { oppositeSide } from '../core/order.js'
import type { OrderTimer, TimerCommand } from '../core/order-timer.js'
import { timerAfter } from '../core/order-timer.js'
import type { SeasonCommand } from '../core/season.js'
import type { AccountNumber, MarketCode, QuantityLots, Sequence } from '../core/units.js'
import type { BatchResult } from '../shard/batch-runner.js'
import type { Users } from './accounts/users.js'
import type { DeskGroups } from './groups/desk-groups.js'
import type { DeskHouse } from './house/desk-house.js'
import type { DeskMarket } from './markets/desk-market.js'
import type { Forgetting } from './markets/forgetting.js'
import type { FeeSettings } from './markets/fee-rates.js'
import type { KeptEpochs } from './kept-epochs.js'
import type { DeskSeasons } from './seasons/desk-seasons.js'

/** The part of the desk that decided commands change. */
interface LandingDesk {
  readonly ledger: Ledger
  readonly users: Users
  readonly groups: DeskGroups
  readonly house: DeskHouse
  readonly forgetting: Forgetting
  readonly timers: Map<AccountNumber, OrderTimer>
  readonly seasons: DeskSeasons
  readonly fees: FeeSettings
  readonly epochs: KeptEpochs
  market(code: MarketCode): DeskMarket
}

const SIDES = ['yes', 'no'] as const

/** The batch of a decided command. */
type LandingBatch = Pick<BatchResult, 'sequence' | 'at'>

/** Ends the hold and locks in flight of a decided command, and adds what it created. */
export function land(desk: LandingDesk, command: Command, batch: LandingBatch): void {
  const { at } = batch
  switch (command.type) {
    case 'OPEN_ACCOUNT':
      open(desk, command)
      break
    case 'CREATE_GROUP':
    case 'CREATE_MARKET':
    case 'EDIT_GROUP':
    case 'CONVERT':
      if (command.type === 'EDIT_GROUP') desk.forgetting.recallGroup(command.group)
      desk.groups.land(command, desk.fees)
      break
    case 'CREATE_ORDER':
      endAdmission(desk, command)
      break
    case 'REPLACE_ORDER':
      landReplacement(desk, command)
      break
    case 'REPLACE_QUOTES':
    case 'REQUOTE_HOUSE':
      landQuotes(desk, command)
      break
    case 'FUND_QUOTES':
    case 'STOP_QUOTES':
    case 'RETURN_HOUSE_MONEY':
      desk.house.land(command, at)
      break
    case 'MERGE_PAIRS':
      for (const side of SIDES) desk.ledger.endLock(command.market, command.account, side, command.quantity)
      break
    case 'TRANSFER_MONEY':
      landTransfer(desk, command)
      break
    case 'SETTLE_POSITIONS':
      for (const [account, , , , held] of command.positions) desk.ledger.endHold(account, held)
      break
    case 'RESOLVE_MARKET':
    case 'RESOLVE_GROUP':
      for (const { market, ...result } of resultsOf(command)) desk.market(market).resolve(result, at)
      break
    case 'REDUCE_ORDER':
      desk.market(command.market).endReducing(command.number, command.lots)
      break
    case 'EDIT_MARKET':
    case 'KEEP_BATCH':
    case 'KEEP_AMENDMENT':
    case 'NOTE_BACKUP':
    case 'CONFIRM_CLOCK':
    case 'CANCEL_ORDER':
    case 'CLEAR_BOOK':
    case 'MOVE_MARKET':
      break
    default:
      landNote(desk, command, batch)
  }
}

function landNote(
  desk: LandingDesk,
  command: TimerCommand | SeasonCommand | BeginEpoch | NoteWebhook,
  { sequence, at }: LandingBatch,
): void {
  if (command.type === 'SET_TIMER' || command.type === 'FIRE_TIMER') {
    desk.timers.set(command.account, timerAfter(desk.timers.get(command.account), command))
  } else if (command.type === 'BEGIN_EPOCH') beginEpoch(desk, command, sequence)
  else if (!isWebhookNote(command)) desk.seasons.take(command, at)
}

function beginEpoch(desk: LandingDesk, command: BeginEpoch, from: Sequence): void {
  const fault = epochFault(desk.epochs.last, command)
  assert(fault === undefined, () => `epochs follow each other: ${fault}`)
  const { epoch, rules } = command
  desk.epochs.begin({ epoch, rules, from })
}

function open(desk: LandingDesk, { account, amount: opening, userId }: OpenAccount): void {
  desk.ledger.endOpening(account, opening)
  desk.users.add(userId, account)
}

function landReplacement(
  desk: LandingDesk,
  { order, market, number, extraHold, extraCovered }: ReplaceOrder,
): void {
  desk.ledger.endHold(order.account, extraHold)
  endLock(desk, order, extraCovered)
  desk.market(market).endReplacing(number, order.number)
}

function landTransfer(desk: LandingDesk, { direction, account, amount: value }: TransferMoney): void {
  if (direction === 'deposit') desk.ledger.endPayIn(value)
  else desk.ledger.endHold(account, value)
}

function landQuotes(
  desk: LandingDesk,
  { market, account, cuts, extraHold, extraYes, extraNo }: ReplaceQuotes | RequoteHouse,
): void {
  desk.ledger.endHold(account, extraHold)
  desk.ledger.endLock(market, account, 'yes', extraYes)
  desk.ledger.endLock(market, account, 'no', extraNo)
  for (const [number, by] of cuts) if (by !== undefined) desk.market(market).endReducing(number, by)
}

function endAdmission(desk: LandingDesk, order: CreateOrder): void {
  if ('refusal' in order.admission) return
  desk.ledger.endHold(order.account, order.admission.hold)
  endLock(desk, order, order.admission.covered)
}

function endLock(desk: LandingDesk, { market, account, data }: CreateOrder, covered: QuantityLots): void {
  desk.ledger.endLock(market, account, oppositeSide(data.side), covered)
}
