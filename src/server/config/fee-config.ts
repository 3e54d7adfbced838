import type { FeeSettings } from '../../exchange/markets/fee-rates.js'
import { folded } from '../../store/folded.js'
import type { SettingValues } from './setting-values.js'

/** Reads the rates of events that have none of their own. */
export function readFees(values: SettingValues): FeeSettings {
  const rows = values.read('fee-category') ?? []
  const categories = new Map(rows.map(({ category, ...rates }) => [folded(category), rates]))
  return { taker: values.read('fee-taker'), maker: values.read('fee-maker'), categories }
}
