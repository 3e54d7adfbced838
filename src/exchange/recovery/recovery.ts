import { rulesFault } from '../../core/epoch.js'
import type { Ledger } from '../../core/ledger.js'
import { isOver } from '../../core/market.js'
import { openOrderFault } from '../../core/open-order-fault.js'
import { orderId } from '../../core/order-record.js'
import type { AccountNumber, MarketCode, TimeMs } from '../../core/units.js'
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
import type { RecoveredMarket, StoredMarket } from '../../store/rows/market-rows.js'
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
import { TRAIL_MS } from '../markets/day-trail.js'
import { DeskMarket } from '../markets/desk-market.js'
import { EPOCHS_MAX, KeptEpochs } from '../kept-epochs.js'
import { EndedReader } from './ended-reader.js'
import { auditMoney } from '../operations/audit.js'
import { checkFile } from './check-file.js'
import { damaged, RecoveryError } from './recovery-error.js'
import { withAdvice, withDatabase } from './with-database.js'

const [USER, ESCROW, MAKER] = ['user:', 'escrow:', 'maker:']

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
export function recoverDesk(file: string, now: TimeMs, forgetAfterMs = TRAIL_MS): Desk {
  return withAdvice(() => {
    const database = openReadOnly(file)
    try {
      const desk = readDesk(database, now, forgetAfterMs)
      desk.markets.readFrom(new EndedReader(database))
      return desk
    } catch (error) {
      database.close()
      throw error
    }
  })
}

function readDesk(database: Database, now: TimeMs, forgetAfterMs: number): Desk {
  const openOrders = new OpenOrderRows(database)
  const accounts = new AccountRows(database)
  const desk = new Desk(forgetAfterMs)
  desk.epochs = new KeptEpochs(new EpochRows(database).last(EPOCHS_MAX))
  const unknown = rulesFault(desk.epochs.last)
  if (unknown !== undefined) throw new RecoveryError(`${unknown}. Nothing was changed`)
  const busy = new Set<MarketCode>(openOrders.markets())
  const filled = new Set(busy)
  openAccounts(desk, accounts, busy)
  for (const { market, account, ...contracts } of new PositionRows(database).live()) {
    desk.ledger.restore(market, account, contracts)
  }
  for (const code of desk.ledger.positionedMarkets()) busy.add(code)
  const house = new HouseRows(database)
  for (const quotes of house.live()) desk.house.restore(quotes)
  const userIdOf = (account: AccountNumber) => {
    const userId = desk.ownerOf(account)
    if (userId === undefined) throw damaged(`an open order is of account ${account}, which is no user's`)
    return userId
  }
  const overSince = (now - forgetAfterMs) as TimeMs
  for (const { lastNumber, ...stored } of marketsToRead(desk, database, busy, overSince)) {
    const { code, escrow } = stored.terms
    if (!desk.ledger.isOpen(escrow)) desk.ledger.open(escrow)
    const group = groupOf(desk, stored)
    const market = new DeskMarket(stored, lastNumber, group?.pool)
    group?.add(market)
    if (isOver(stored.progress.status)) for (const quotes of house.of(code)) desk.house.restore(quotes)
    desk.forgetting.restoreEnded(market, tradersPaid(desk.ledger, stored))
    if (filled.has(code)) restoreOrders(desk, market, openOrders, userIdOf)
    if (desk.markets.ended.has(code)) desk.markets.addToEnded(market)
    else desk.markets.add(market)
  }
  for (const group of desk.groups.allInMemory()) desk.forgetting.restoreEndedGroup(group)
  desk.ownOrders.sort()
  desk.rested.begin(userIdOf)
  for (const [account, timer] of new TimerRows(database).all()) desk.timers.set(account, timer)
  for (const season of new SeasonRows(database).all()) desk.seasons.restore(season)
  const fault = auditMoney(desk) ?? startFault(database)
  if (fault !== undefined) throw damaged(fault)
  return desk
}

/** Restores the open orders of a market: as records only those that do not rest as they came. */
function restoreOrders(
  desk: Desk,
  market: DeskMarket,
  openOrders: OpenOrderRows,
  userIdOf: (account: AccountNumber) => string,
): void {
  const { terms } = market
  const from = desk.rested.plain.length
  for (const order of openOrders.records(terms, desk.rested.plain, userIdOf)) {
    const fault = openOrderFault(order, terms)
    if (fault !== undefined) throw damaged(`order ${orderId(order)}: ${fault}`)
    desk.restore(market, order)
  }
  desk.rested.addMarket(terms.code, market.openOrders, market.ladder, from)
}

/** Opens the accounts, and notes the markets whose escrows or makers have money. */
function openAccounts(desk: Desk, accounts: AccountRows, busy: Set<MarketCode>): void {
  for (const { number, owner, cash, held, userSeq } of accounts.filled()) {
    desk.ledger.open(number, cash, held)
    if (owner.startsWith(ESCROW)) busy.add(Number(owner.slice(ESCROW.length)) as MarketCode)
    else if (owner.startsWith(MAKER)) {
      desk.house.noteAccount(number)
      if (cash > 0) busy.add(Number(owner.split(':')[1]) as MarketCode)
    }
    if (!owner.startsWith(USER)) continue
    const userId = owner.slice(USER.length)
    desk.users.add(userId, number)
    if (userSeq > 0) desk.users.advance(number, userSeq)
  }
  desk.users.noteTaken(accounts.last())
}

/**
 * Notes the markets that are over. Returns those that memory must have, by code: the others, those that were
 * over since a time, those that are not done, and all of their groups, which it restores.
 */
function marketsToRead(
  desk: Desk,
  database: Database,
  busy: ReadonlySet<MarketCode>,
  overSince: TimeMs,
): RecoveredMarket[] {
  const rows = new MarketRows(database)
  const groups = new GroupRows(database)
  const read = [...rows.recoveredLive()]
  const groupsToRead = new Set(read.flatMap(({ terms }) => terms.group ?? []))
  const alone = new Set<MarketCode>()
  const forgotten = new Set<MarketCode>()
  for (const end of rows.ended()) {
    const { code, group, status, overAt, openPairs } = end
    const isBusy = busy.has(code) || (group !== undefined && busy.has(group))
    const isOdd = group === undefined && status === 'settled' && openPairs > 0
    desk.markets.addEnded(end)
    if (group !== undefined) forgotten.add(group)
    if (!isBusy && !isOdd && overAt <= overSince) continue
    if (group === undefined) alone.add(code)
    else groupsToRead.add(group)
  }
  for (const code of [...groupsToRead].sort((a, b) => a - b)) {
    const stored = groups.find(code)
    if (stored === undefined) throw damaged(`there is no group ${code}, but events of it`)
    desk.groups.restore(stored)
    forgotten.delete(code)
    for (const one of rows.recoveredOfGroup(code)) if (isOver(one.progress.status)) read.push(one)
  }
  for (const code of [...forgotten].sort((a, b) => a - b)) desk.groups.addForgotten(code)
  for (const code of alone) {
    const one = rows.recovered(code)
    if (one !== undefined) read.push(one)
  }
  return read.sort((a, b) => a.terms.code - b.terms.code)
}

function groupOf(desk: Desk, { terms: { code, group } }: StoredMarket): DeskGroup | undefined {
  const known = group === undefined ? undefined : desk.groups.find(group)
  if (group !== undefined && known === undefined) throw damaged(`event ${code} is of no group that there is`)
  return known
}

/** Returns the traders of a market whose positions were paid and not read; one that goes on has none. */
function tradersPaid(ledger: Ledger, { terms: { code }, progress, traders }: StoredMarket): number {
  const live = ledger.holders(code)
  const isRight = isOver(progress.status) ? traders >= live : traders === live
  if (!isRight) throw damaged(`market ${code} has ${traders} traders, by its positions ${live}`)
  return traders - live
}
