import { assert } from '../core/assert.js'
import type { Database } from '../store/database.js'
import { checkpoint, damageBehind, damageOf, openDatabase } from '../store/database.js'
import { migrate } from '../store/schema.js'
import { Tables } from '../store/tables.js'
import { auditMoney } from './audit.js'
import { Desk } from './desk.js'
import { DeskMarket } from './desk-market.js'

const USER = 'user:'

/** The file cannot be traded on; the message says why and what to do. */
export class RecoveryError extends Error {
  override readonly name = 'RecoveryError'
}

/** Start is recovery: makes the file ready and reads the desk's memory back from its tables. */
export function recover(file: string): Desk {
  try {
    const database = openDatabase(file)
    try {
      prepare(database)
      return readDesk(database)
    } finally {
      database.close()
    }
  } catch (error) {
    const damage = damageBehind(error)
    throw damage === undefined ? error : damaged(damage)
  }
}

function damaged(damage: string): RecoveryError {
  return new RecoveryError(`the data file is damaged (${damage}): restore it from a backup`)
}

/** What an interrupted process left in the log goes in, the pages are checked, the schema is made current. */
function prepare(database: Database): void {
  checkpoint(database)
  const damage = damageOf(database)
  if (damage !== undefined) throw damaged(damage)
  const refusal = migrate(database)
  if (refusal !== undefined) throw new RecoveryError(refusal)
}

/** Reads everything back, and checks that the money is all there. */
function readDesk(database: Database): Desk {
  const tables = new Tables(database)
  const desk = new Desk()
  for (const { number, owner, cash, held } of tables.accounts.all()) {
    desk.ledger.open(number, cash, held)
    desk.users.noteTaken(number)
    if (owner.startsWith(USER)) desk.users.add(owner.slice(USER.length), number)
  }
  for (const row of tables.positions.all()) {
    const { market, account, ...contracts } = row
    desk.ledger.restore(market, account, contracts)
  }
  for (const stored of [...tables.markets.all()]) {
    const { code } = stored.terms
    const market = new DeskMarket(stored, tables.orders.lastNumber(code))
    for (const order of tables.orders.open(code)) market.restore(order)
    desk.markets.add(market)
  }
  const missing = auditMoney(desk)
  assert(missing === undefined, `the money is all there: ${missing}`)
  return desk
}
