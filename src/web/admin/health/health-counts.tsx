import type { Health } from '../../../client/client.js'
import { countText } from '../../kit/number-texts.js'
import { t } from '../../texts/admin-health.js'
import { bytesText, durationText } from './health-texts.js'

/** Counts and sizes: sockets, disk, accounts, event loop. */
export function HealthCounts({ health }: { readonly health: Health }) {
  const delay = health.event_loop_delay
  const figures: readonly (readonly [label: string, value: string])[] = [
    [t.connections, countText(health.connections)],
    [t.unsent, bytesText(health.unsent_bytes)],
    [t.sockets, countText(health.sockets)],
    [t.subscriptions, countText(health.subscriptions)],
    [t.tables, bytesText(health.database_bytes)],
    [t.tablesLog, bytesText(health.wal_bytes)],
    [t.journal, bytesText(health.journal_bytes)],
    [t.journalLog, bytesText(health.journal_wal_bytes)],
    [t.archive, bytesText(health.archive_bytes)],
    [t.freeDisk, bytesText(health.disk.free_bytes)],
    [t.batches, countText(health.sequence)],
    [t.behind, countText(health.tables.commands_behind)],
    [t.users, countText(health.accounts)],
    [t.events, countText(health.events)],
    [t.openOrders, countText(health.open_orders)],
    [t.loopLagMedian, durationText(delay.p50)],
    [t.loopLag, durationText(delay.p99)],
  ]
  return (
    <dl class="card figures-line figures-five">
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
