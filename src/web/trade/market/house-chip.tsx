import type { QuotedByHouse } from '../../../client/shapes.js'
import { useClosingMenu } from '../../kit/closing-menu.js'
import { countText, rupeesText, wholeRupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/market.js'

/** Says that the exchange itself quotes a market, and in a menu what that means. */
export function HouseChip({ quotes }: { readonly quotes: QuotedByHouse }) {
  const menu = useClosingMenu()
  return (
    <details class="share house-chip" ref={menu}>
      <summary class="tag">{t.houseQuotes}</summary>
      <div class="share-menu card house-about">
        <p>{t.houseAbout}</p>
        <dl>
          <Side quotes={quotes} side="yes" />
          <Side quotes={quotes} side="no" />
          <div>
            <dt>{t.houseMaxLoss}</dt>
            <dd>{wholeRupeesText(Math.ceil(quotes.max_loss))}</dd>
          </div>
        </dl>
        <p class="soft">{t.houseWithdraws}</p>
      </div>
    </details>
  )
}

/** Shows the nearest price of a side. */
function Side({ quotes, side }: { readonly quotes: QuotedByHouse; readonly side: 'yes' | 'no' }) {
  const best = quotes.rungs.find(rung => rung.side === side)
  return (
    <div>
      <dt>{t.houseSides[side]}</dt>
      <dd>{best === undefined ? '–' : t.houseAt(countText(best.quantity), rupeesText(best.price))}</dd>
    </div>
  )
}
