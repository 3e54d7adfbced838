import type { Market, Settlement } from '../../../client/shapes.js'
import { countText, gainTone, rupeesText } from '../../kit/number-texts.js'
import { ResultDetails } from '../../kit/result-details.jsx'
import { t } from '../../texts/market.js'
import { userId } from '../session.js'
import type { OwnSettlement } from './own-settlement.js'

interface MarketResultProps {
  readonly market: Market
  readonly outcome: NonNullable<Market['outcome']>
  readonly own: OwnSettlement
}

/** The result, what it paid the user, when and why. */
export function MarketResult({ market, outcome, own }: MarketResultProps) {
  return (
    <section class={`notice result result-${outcome} market-banner`} aria-label={t.resultRegion}>
      <div>
        <p class="result-words">{outcome === 'void' ? t.voided : t.resolved[outcome]}</p>
        <ResultDetails market={market} />
      </div>
      {userId.value !== undefined && (
        <div class="result-room">
          {own === 'none' && <p>{t.heldNothing}</p>}
          {typeof own === 'object' && <Paid settlement={own} />}
        </div>
      )}
    </section>
  )
}

function Paid({ settlement }: { readonly settlement: Settlement }) {
  const { yes, no, paid, payment, result, outcome } = settlement
  const isRefund = outcome === 'void'
  const mood = isRefund ? '' : gainTone(result)
  return (
    <div class="result-own">
      <p>
        <small>{isRefund ? t.refunded : result > 0 ? t.profit : result < 0 ? t.loss : t.even}</small>
        <b class={mood}>{isRefund ? rupeesText(payment) : rupeesText(result, 'signed')}</b>
      </p>
      <dl class="result-facts">
        <dt>{t.youHeld}</dt>
        <dd>{heldText(yes, no)}</dd>
        <dt>{t.invested}</dt>
        <dd>{rupeesText(paid)}</dd>
        {!isRefund && (
          <>
            <dt>{t.payout}</dt>
            <dd>{rupeesText(payment)}</dd>
          </>
        )}
      </dl>
    </div>
  )
}

function heldText(yes: number, no: number): string {
  if (yes > 0 && no > 0) return t.held(countText(yes), countText(no))
  return yes > 0 ? t.heldOne(countText(yes), t.outcomes.yes) : t.heldOne(countText(no), t.outcomes.no)
}
