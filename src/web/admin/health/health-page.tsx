import { useEffect } from 'preact/hooks'
import { FiguresLine } from '../../kit/figures-line.jsx'
import { siteName } from '../../kit/page-site.js'
import { t as frame } from '../../texts/admin-frame.js'
import { t } from '../../texts/admin-health.js'
import { reach } from '../admin-access.js'
import { clients } from '../admin-clients.js'
import { usePolled } from '../polling.js'
import { AnnouncementCard } from './announcement-card.jsx'
import { BackupCard } from './backup-card.jsx'
import { DoctorCard } from './doctor-card.jsx'
import { HealthCurves } from './health-curves-card.jsx'
import { HealthOrders } from './health-orders.jsx'
import { sizeText } from '../../../api/size-text.js'
import { durationText } from './health-texts.js'
import { LedgerCheck } from './ledger-check.jsx'
import { VerdictCard } from './verdict-card.jsx'
import type { Health } from '../../../client/client.js'
import { dayTimeText, timeLeftText } from '../../kit/time-texts.js'
import { useOperatorAction } from '../operator-action.js'
import { countText } from '../../kit/number-texts.js'

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
        <p class="faint">
          {t.versionAndUptime(health.version, health.node, timeLeftText(health.uptime * 1000))}
        </p>
      </div>
      <ClockNotice clock={health.clock} onDone={again} />
      <VerdictCard health={health} />
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

interface ClockNoticeProps {
  readonly clock: Health['clock']
  readonly onDone: () => void
}

/** Says that the clock jumped ahead and is not followed, with a button that confirms it. */
function ClockNotice({ clock, onDone }: ClockNoticeProps) {
  const { fault, isBusy, run } = useOperatorAction()
  if (clock.trusted || clock.held_since === null) return null
  const confirm = () =>
    run(async () => {
      await clients.patient.operator.confirmClock()
      onDone()
    })
  return (
    <section class="notice notice-warn" role="alert" aria-label={t.clock}>
      <p>{t.clockJumped(timeLeftText(clock.ahead_ms), dayTimeText(clock.held_since))}</p>
      <button type="button" class="button button-small" disabled={isBusy} onClick={confirm}>
        {isBusy ? t.confirming : t.confirmClock}
      </button>
      {fault !== undefined && <p class="fault">{fault.words}</p>}
    </section>
  )
}

/** Counts and sizes: sockets, disk, accounts, event loop. */
function HealthCounts({ health }: { readonly health: Health }) {
  const delay = health.event_loop_delay
  const figures: readonly (readonly [label: string, value: string])[] = [
    [t.connections, countText(health.connections)],
    [t.unsent, sizeText(health.unsent_bytes)],
    [t.sockets, countText(health.sockets)],
    [t.subscriptions, countText(health.subscriptions)],
    [t.tables, sizeText(health.database_bytes)],
    [t.tablesLog, sizeText(health.wal_bytes)],
    [t.journal, sizeText(health.journal_bytes)],
    [t.journalLog, sizeText(health.journal_wal_bytes)],
    [t.archive, sizeText(health.archive_bytes)],
    [t.freeDisk, sizeText(health.disk.free_bytes)],
    [t.batches, countText(health.sequence)],
    [t.behind, countText(health.tables.commands_behind)],
    [t.users, countText(health.accounts)],
    [t.events, countText(health.events)],
    [t.openOrders, countText(health.open_orders)],
    [t.loopLagMedian, durationText(delay.p50)],
    [t.loopLag, durationText(delay.p99)],
  ]
  return <FiguresLine class="card figures-five" figures={figures} />
}
