import type { QuotedByHouse } from '../../../client/shapes.js'
import { useClosingMenu } from '../../kit/closing-menu.js'
import { countText, rupeesText, wholeRupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/market.js'

interface HouseChipProps {
  /** Of a group the loss alone: each outcome's page has its prices. */
  readonly quotes: Pick<QuotedByHouse, 'max_loss'> & Partial<QuotedByHouse>
}

/** Says that the exchange itself quotes a market or a group, and in a menu what that means. */
export function HouseChip({ quotes: { max_loss, rungs } }: HouseChipProps) {
  const menu = useClosingMenu()
  return (
    <details class="share house-chip" ref={menu}>
      <summary class="tag">{t.houseQuotes}</summary>
      <div class="share-menu card house-about">
        <p>{t.houseAbout}</p>
        <dl>
          {rungs !== undefined && (
            <>
              <Side rungs={rungs} side="yes" />
              <Side rungs={rungs} side="no" />
            </>
          )}
          <div>
            <dt>{t.houseMaxLoss}</dt>
            <dd>{wholeRupeesText(Math.ceil(max_loss))}</dd>
          </div>
        </dl>
        <p class="soft">{t.houseWithdraws}</p>
      </div>
    </details>
  )
}

/** Shows the nearest price of a side. */
function Side({ rungs, side }: Pick<QuotedByHouse, 'rungs'> & { readonly side: 'yes' | 'no' }) {
  const best = rungs.find(rung => rung.side === side)
  return (
    <div>
      <dt>{t.houseSides[side]}</dt>
      <dd>{best === undefined ? '–' : t.houseAt(countText(best.quantity), rupeesText(best.price))}</dd>
    </div>
  )
}
