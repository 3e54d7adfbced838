import type { Market, Outcome } from '../../../../client/client.js'
import { t } from '../../../texts/admin-events.js'
import { clients } from '../../admin-clients.js'
import { ConfirmResult } from './confirm-result.jsx'

interface SettlementFormProps {
  readonly market: Market
  readonly outcome: Outcome
  readonly onDone: () => void
  readonly onLeave: () => void
}

/** Confirms the result of an event by its code. */
export function SettlementForm({ market, outcome, onDone, onLeave }: SettlementFormProps) {
  const doIt = t.settle.doIt[outcome]
  return (
    <ConfirmResult
      doIt={doIt}
      code={market.event_id}
      codeLabel={t.settle.typeCode(doIt, market.event_id)}
      codeHint={outcome === 'void' ? t.settle.afterVoid : t.settle.after}
      send={async notes => {
        await clients.doing.operator.resolveMarket(market.event_id, { outcome, ...notes })
        onDone()
      }}
      onLeave={onLeave}
    />
  )
}
