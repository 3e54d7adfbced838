import { countText } from '../../kit/number-texts.js'
import { t } from '../../texts/ticket.js'
import type { FillEstimate } from '../ticket/fill-estimate.js'

/** Says what an exit at market cannot sell, and why. */
export function exitNote(lots: number, filledLots: number, stop: FillEstimate['stop'], name: string): string {
  if (lots === 0) return t.nothingFree(name)
  if (filledLots === 0) return stop === 'self_trade' ? t.ownInTheWay : t.nobodyBuys
  if (filledLots < lots) return t.exitRest(countText((lots - filledLots) / 100), name)
  return t.exitAtBest
}
