import type { Market, Settlement } from '../../../client/shapes.js'
import { useSignal } from '@preact/signals'
import { errorText } from '../../kit/error-text.js'
import { Icon } from '../../kit/icons.jsx'
import { chanceText, countText, gainTone, rupeesText } from '../../kit/number-texts.js'
import { ResultDetails } from '../../kit/result-details.jsx'
import { saveFile } from '../../kit/save-csv.js'
import { nameText } from '../../kit/name-text.js'
import { t } from '../../texts/market.js'
import { userId } from '../session.js'
import { calledAt } from './called-at.js'
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
          {typeof own === 'object' && <Paid market={market} settlement={own} />}
        </div>
      )}
    </section>
  )
}

interface PaidProps {
  readonly market: Market
  readonly settlement: Settlement
}

function Paid({ market, settlement }: PaidProps) {
  const { yes, no, paid, payment, result, outcome } = settlement
  const isRefund = outcome === 'void'
  const mood = isRefund ? '' : gainTone(result)
  const chance = isRefund ? undefined : calledAt(settlement, market.payout)
  const called = chance === undefined ? '' : t.calledAt(chanceText(chance, 'headline'))
  return (
    <div class="result-own">
      <p>
        <small>{isRefund ? t.refunded : result > 0 ? t.profit : result < 0 ? t.loss : t.even}</small>
        <b class={mood}>{isRefund ? rupeesText(payment) : rupeesText(result, 'signed')}</b>
        {called !== '' && <small>{called}</small>}
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
      {!isRefund && <ShareResult market={market} settlement={settlement} called={called} />}
    </div>
  )
}

/** Sends a picture of the result, or saves it where pictures cannot be sent. */
function ShareResult({ market, settlement, called }: PaidProps & { readonly called: string }) {
  const fault = useSignal('')
  const share = async () => {
    const { drawResultCard } = await import('./result-card.js')
    const { result, outcome } = settlement
    const picture = await drawResultCard({
      title: nameText(market.title),
      result: outcome === 'void' ? t.voidResult : t.resolved[outcome],
      gain: rupeesText(result, 'signed'),
      isGain: result >= 0,
      called,
    })
    const file = new File([picture], `raay-${market.event_id}.png`, { type: 'image/png' })
    // A share that the user breaks off is no error.
    if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file] }).catch(() => {})
    else saveFile(file)
  }
  return (
    <p class="result-share">
      <button
        type="button"
        class="button button-small"
        onClick={() =>
          void share().catch(error => {
            fault.value = errorText(error)
          })
        }
      >
        <Icon shape="share" /> {t.shareResult}
      </button>
      <span class="fault" role="alert">
        {fault.value}
      </span>
    </p>
  )
}

function heldText(yes: number, no: number): string {
  if (yes > 0 && no > 0) return t.held(countText(yes), countText(no))
  return yes > 0 ? t.heldOne(countText(yes), t.outcomes.yes) : t.heldOne(countText(no), t.outcomes.no)
}
