import { TICKS_PER_RUPEE } from '../../../core/units.js'
import { hundredthsIn } from '../../kit/hundredths.js'
import { plainNumber } from '../../kit/typed-number.js'
import type { AmendedNumbers } from './amendment.js'

/** Reads a price and a quantity as typed. */
export function typedNumbers(priceText: string, quantityText: string): AmendedNumbers {
  const typed = plainNumber(priceText)
  return {
    priceTicks: hundredthsIn(priceText),
    ...(typed !== undefined && { typedTicks: Number(typed) * TICKS_PER_RUPEE }),
    lots: hundredthsIn(quantityText),
  }
}
