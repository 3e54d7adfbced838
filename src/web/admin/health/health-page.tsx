import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { reach } from '../admin-access.js'
import { clients } from '../admin-clients.js'
import { usePolled } from '../polling.js'
import { BackupCard } from './backup-card.jsx'
import { ClockNotice } from './clock-notice.jsx'
import { DoctorCard } from './doctor-card.jsx'
import { HealthCounts } from './health-counts.jsx'
import { HealthOrders } from './health-orders.jsx'
import { uptimeText } from './health-texts.js'
import { LedgerCheck } from './ledger-check.jsx'

const POLL_PAUSE_MS = 1000
const RATES_MAX = 60

/** The health of the exchange, polled every second. */
export function HealthPage() {
  const { value: health, again } = usePolled(() => clients.asking.operator.fetchHealth(), POLL_PAUSE_MS)
  const rates = useSignal<readonly number[]>([])
  useEffect(() => {
    document.title = 'Health · Raay admin'
  }, [])
  useEffect(() => {
    if (health === undefined) return
    rates.value = [...rates.peek(), health.orders.per_second].slice(-RATES_MAX)
  }, [health])
  if (health === undefined) return <p class="empty">Loading…</p>
  return (
    <div class={`stack ${reach.value === 'offline' ? 'stale' : ''}`}>
      <div class="page-head">
        <h1>Health</h1>
        <p class="faint">
          Raay {health.version}, Node {health.node}, up for {uptimeText(health.uptime)}
        </p>
      </div>
      <ClockNotice clock={health.clock} onDone={again} />
      <HealthOrders orders={health.orders} shards={health.shards} rates={rates.value} ratesMax={RATES_MAX} />
      <HealthCounts health={health} />
      <div class="two">
        <BackupCard health={health} onDone={again} />
        <LedgerCheck verified={health.last_verification} />
      </div>
      <DoctorCard />
    </div>
  )
}
