import { wholeRupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/markets.js'

/** The payout of most markets, which goes without saying. */
const USUAL_PAYOUT = 10

/** Says what a contract pays where that is unusual: prices mean something else there. */
export function PayoutChip({ payout }: { readonly payout: number }) {
  return payout === USUAL_PAYOUT ? null : <span class="tag">{t.paysChip(wholeRupeesText(payout))}</span>
}
