import { useEffect } from 'preact/hooks'
import { siteName } from '../../kit/page-site.js'
import { t as frame } from '../../texts/admin-frame.js'
import { t } from '../../texts/admin-health.js'
import { reach } from '../admin-access.js'
import { clients } from '../admin-clients.js'
import { usePolled } from '../polling.js'
import { AnnouncementCard } from './announcement-card.jsx'
import { BackupCard } from './backup-card.jsx'
import { ClockNotice } from './clock-notice.jsx'
import { DoctorCard } from './doctor-card.jsx'
import { HealthCounts } from './health-counts.jsx'
import { HealthCurves } from './health-curves-card.jsx'
import { HealthOrders } from './health-orders.jsx'
import { uptimeText } from './health-texts.js'
import { LedgerCheck } from './ledger-check.jsx'

const POLL_PAUSE_MS = 1000

/** The health of the exchange, polled every second. */
export function HealthPage() {
  const { value: health, again } = usePolled(() => clients.asking.operator.fetchHealth(), POLL_PAUSE_MS)
  useEffect(() => {
    document.title = frame.title(t.health, siteName)
  }, [])
  if (health === undefined) return <p class="empty">{frame.loading}</p>
  return (
    <div class={`stack ${reach.value === 'offline' ? 'stale' : ''}`}>
      <div class="page-head">
        <h1>{t.health}</h1>
        <p class="faint">{t.versionAndUptime(health.version, health.node, uptimeText(health.uptime))}</p>
      </div>
      <ClockNotice clock={health.clock} onDone={again} />
      <HealthOrders orders={health.orders} shards={health.shards} />
      <HealthCurves />
      <HealthCounts health={health} />
      <div class="two">
        <BackupCard health={health} onDone={again} />
        <LedgerCheck verified={health.last_verification} />
      </div>
      <DoctorCard />
      <AnnouncementCard />
    </div>
  )
}
