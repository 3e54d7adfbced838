import type { Health } from '../../../client/client.js'
import { countText } from '../../kit/number-texts.js'
import { bytesText, durationText } from './health-texts.js'

/** Counts and sizes: sockets, disk, accounts, event loop. */
export function HealthCounts({ health }: { readonly health: Health }) {
  const delay = health.event_loop_delay
  const figures: readonly (readonly [label: string, value: string])[] = [
    ['Connections', countText(health.connections)],
    ['Unsent answers', bytesText(health.unsent_bytes)],
    ['Sockets', countText(health.sockets)],
    ['Subscriptions', countText(health.subscriptions)],
    ['Tables', bytesText(health.database_bytes)],
    ['Log of the tables', bytesText(health.wal_bytes)],
    ['Journal', bytesText(health.journal_bytes)],
    ['Log of the journal', bytesText(health.journal_wal_bytes)],
    ['Archive', bytesText(health.archive_bytes)],
    ['Free disk space', bytesText(health.disk.free_bytes)],
    ['Journal batches', countText(health.sequence)],
    ['Commands behind in the tables', countText(health.tables.commands_behind)],
    ['Users', countText(health.accounts)],
    ['Events', countText(health.events)],
    ['Open orders', countText(health.open_orders)],
    ['Event-loop lag, p50', durationText(delay.p50)],
    ['Event-loop lag, p99', durationText(delay.p99)],
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
