import { chargeFee } from '../core/fees.js'
import { lots, ticks } from '../core/units.js'
import type { Database } from './sqlite.js'

/**
 * Adds `fee_held(rate, price, payout, lots, credit)` to the functions of a connection: the fee that a resting
 * order holds. Its products may be beyond the integers of SQLite.
 */
export function addFeeHeld(database: Database): void {
  database.function('fee_held', { deterministic: true }, (rate, price, payout, uncovered, credit) => {
    const [at, most, left] = [ticks(Number(price)), ticks(Number(payout)), lots(Number(uncovered))]
    return BigInt(chargeFee(Number(rate), at, most, left, Number(credit)).due)
  })
}
