import { countText } from '../../kit/number-texts.js'
import { t } from '../../texts/ticket.js'
import type { FillEstimate } from '../ticket/fill-estimate.js'

/**
 * Says what an exit at market cannot sell, and why.
 * @param lots what is free
 * @param offeredLots as many of them as one order may sell
 */
export function exitNote(
  lots: number,
  offeredLots: number,
  filledLots: number,
  stop: FillEstimate['stop'],
  name: string,
): string {
  if (lots === 0) return t.nothingFree(name)
  if (filledLots === 0) return stop === 'self_trade' ? t.ownInTheWay : t.nobodyBuys
  if (filledLots < offeredLots) return t.exitRest(countText((lots - filledLots) / 100), name)
  if (offeredLots < lots) return t.exitPart(countText((lots - offeredLots) / 100), name)
  return t.exitAtBest
}
