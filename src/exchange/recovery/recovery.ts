import { rulesFault } from '../../core/epoch.js'
import type { Ledger } from '../../core/ledger.js'
import { isOver } from '../../core/market.js'
import { HOUSE_USER_ID } from '../../core/house/house-command.js'
import { openOrderFault } from '../../core/open-order-fault.js'
import { orderId } from '../../core/order-record.js'
import type { AccountNumber } from '../../core/units.js'
import { amount, NOTHING } from '../../core/units.js'
import { followToEnd } from '../../follower/follower.js'
import { clearUnfinishedArchive } from '../../store/archive/archive-file.js'
import { archiveMark } from '../../store/archive/archive-mark.js'
import { finishArchiving } from '../../store/archive/archiving-note.js'
import { dropArchivedBatches } from '../../store/archive/move-to-archive.js'
import { lastBatch, lastSequenceInTables } from '../../store/audit/last-sequence.js'
import { startFault } from '../../store/audit/start-audit.js'
import type { Database } from '../../store/database.js'
import { checkpoint, openDatabase, openReadOnly } from '../../store/database.js'
import { giveId } from '../../store/files/exchange-id.js'
import { IdFile } from '../../store/files/id-file.js'
import { splitJournal } from '../../store/files/journal-split.js'
import type { BatchPlace } from '../../store/journal.js'
import { EpochRows } from '../../store/operator/epoch-rows.js'
import { AccountRows } from '../../store/rows/account-rows.js'
import type { StoredMarket } from '../../store/rows/market-rows.js'
import { GroupRows } from '../../store/rows/group-rows.js'
import { HouseRows } from '../../store/rows/house-rows.js'
import { MarketRows } from '../../store/rows/market-rows.js'
import { OpenOrderRows } from '../../store/rows/open-order-rows.js'
import { PositionRows } from '../../store/rows/position-rows.js'
import { SeasonRows } from '../../store/rows/season-rows.js'
import { TimerRows } from '../../store/rows/timer-rows.js'
import { migrateTables } from '../../store/tables-schema.js'
import { Desk } from '../desk.js'
import type { DeskGroup } from '../groups/desk-group.js'
import { DeskMarket } from '../markets/desk-market.js'
import { auditMoney } from '../operations/audit.js'
import { checkFile } from './check-file.js'
import { damaged, RecoveryError } from './recovery-error.js'
import { withAdvice, withDatabase } from './with-database.js'

const USER = 'user:'

/**
 * Step one of a start, which always is a recovery: checks the files, checkpoints what an interrupted process
 * left in their logs, creates the tables of a new exchange, gives the journal a file of its own, completes an
 * interrupted archiving, and brings the tables to the journal's end. Returns the last batch.
 */
export function prepareFile(file: string): BatchPlace {
  checkFile(file)
  const id = withDatabase(openDatabase, file, database => {
    checkpoint(database)
    migrateTables(database)
    return giveId(database)
  })
  const mark = withDatabase(openDatabase, file, database => {
    const fault = splitJournal(database, file)
    if (fault !== undefined) throw damaged(fault)
    checkpoint(database)
    return archiveMark(database)
  })
  withAdvice(() => {
    if (mark !== undefined) dropArchivedBatches(file, mark)
    finishArchiving(file, mark)
    clearUnfinishedArchive(file)
  })
  const end = withDatabase(openDatabase, file, endOf)
  const idFile = new IdFile(file)
  withAdvice(() => {
    if (idFile.read() !== id) idFile.write(id)
    followToEnd(file, end.sequence)
  })
  return end
}

function endOf(database: Database): BatchPlace {
  const [last, inTables] = [lastBatch(database), lastSequenceInTables(database)]
  if (inTables <= last.sequence) return last
  throw damaged(`the journal ends at batch ${last.sequence}, the tables at batch ${inTables}`)
}

/**
 * Step two: rebuilds the desk's memory from the tables, and checks the money invariants. Reads only: threads
 * open the files meanwhile, and closing the last connection that may write locks both files until their logs
 * are deleted.
 */
export function recoverDesk(file: string): Desk {
  return withDatabase(openReadOnly, file, readDesk)
}

function readDesk(database: Database): Desk {
  const openOrders = new OpenOrderRows(database)
  const desk = new Desk()
  desk.epoch = new EpochRows(database).last()
  const unknown = rulesFault(desk.epoch)
  if (unknown !== undefined) throw new RecoveryError(`${unknown}. Nothing was changed`)
  const userIds = new Map<AccountNumber, string>()
  for (const { number, owner, cash, held, userSeq } of new AccountRows(database).all()) {
    desk.ledger.open(number, cash, held)
    desk.users.noteTaken(number)
    if (!owner.startsWith(USER)) continue
    const userId = owner.slice(USER.length)
    desk.users.add(userId, number)
    if (userSeq > 0) desk.users.advance(number, userSeq)
    userIds.set(number, userId)
  }
  for (const { market, account, ...contracts } of new PositionRows(database).live()) {
    desk.ledger.restore(market, account, contracts)
  }
  for (const stored of new GroupRows(database).all()) {
    desk.groups.restore(stored)
  }
  for (const quotes of new HouseRows(database).all()) desk.house.restore(quotes)
  for (const { lastNumber, hasOpenOrders, ...stored } of new MarketRows(database).recovered()) {
    const { code } = stored.terms
    restoreEnded(desk.ledger, stored)
    const group = groupOf(desk, stored)
    const market = new DeskMarket(stored, lastNumber, group?.pool)
    group?.add(market)
    const userIdOf = (account: AccountNumber) => {
      const userId = desk.house.owns(account) ? HOUSE_USER_ID : userIds.get(account)
      if (userId === undefined) throw damaged(`an open order is of account ${account}, which is no user's`)
      return userId
    }
    for (const order of hasOpenOrders ? openOrders.records(code, userIdOf) : []) {
      const fault = openOrderFault(order, stored.terms)
      if (fault !== undefined) throw damaged(`order ${orderId(order)}: ${fault}`)
      desk.restore(market, order)
    }
    desk.markets.add(market)
  }
  restoreEndedGroups(desk)
  desk.ownOrders.sort()
  for (const [account, timer] of new TimerRows(database).all()) desk.timers.set(account, timer)
  for (const season of new SeasonRows(database).all()) desk.seasons.restore(season)
  const fault = auditMoney(desk) ?? startFault(database)
  if (fault !== undefined) throw damaged(fault)
  return desk
}

function groupOf(desk: Desk, { terms: { code, group } }: StoredMarket): DeskGroup | undefined {
  const known = group === undefined ? undefined : desk.groups.find(group)
  if (group !== undefined && known === undefined) throw damaged(`event ${code} is of no group that there is`)
  return known
}

/** Counts the traders of a market whose positions were paid and not read; one that goes on has none. */
function restoreEnded(ledger: Ledger, { terms: { code }, progress, traders }: StoredMarket): void {
  const live = ledger.holders(code)
  const isRight = isOver(progress.status) ? traders >= live : traders === live
  if (!isRight) throw damaged(`market ${code} has ${traders} traders, by its positions ${live}`)
  const { status, fees } = progress
  ledger.restoreEnded(code, traders - live, status === 'settled' ? fees : NOTHING)
}

/** Counts the fees of the groups that have settled, and whose net payments were not read. */
function restoreEndedGroups({ groups, ledger }: Desk): void {
  for (const { pool, markets, terms } of groups.all()) {
    if (pool === undefined || markets.some(({ progress }) => progress.status !== 'settled')) continue
    const fees = markets.reduce((sum, { progress }) => sum + progress.fees, 0)
    ledger.restoreEnded(terms.code, 0, amount(fees))
  }
}
