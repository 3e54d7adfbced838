/** One panel of the dashboard. */
export interface Panel {
  readonly title: string
  /** A number of now, or lines over time. */
  readonly type: 'stat' | 'timeseries'
  /** A unit of Grafana. */
  readonly unit: string
  /** Expressions and the names of their lines; `%` stands for the labels that choose the exchange. */
  readonly lines: readonly (readonly [expr: string, legend: string])[]
}

export interface Row {
  readonly title: string
  readonly panels: readonly Panel[]
}

const stat = (title: string, unit: string, expr: string): Panel => ({
  title,
  type: 'stat',
  unit,
  lines: [[expr, '']],
})

const lines = (title: string, unit: string, ...of: Panel['lines']): Panel => ({
  title,
  type: 'timeseries',
  unit,
  lines: of,
})

/** The rows of the dashboard: what an operator looks at first comes first. */
export const ROWS: readonly Row[] = [
  {
    title: 'Now',
    panels: [
      stat('Uptime', 's', 'raay_uptime_seconds%'),
      stat('Orders per second', 'ops', 'rate(raay_orders_total%[1m])'),
      stat('Events', 'short', 'raay_events%'),
      stat('Accounts', 'short', 'raay_accounts%'),
      stat('Since the last verified backup', 's', 'time() - raay_last_verified_backup_timestamp_seconds%'),
      stat('Since the last verification', 's', 'time() - raay_last_verification_timestamp_seconds%'),
      stat('Findings of the verification', 'short', 'raay_verification_findings%'),
      stat('Certificate expires in', 's', 'raay_certificate_expires_timestamp_seconds% - time()'),
    ],
  },
  {
    title: 'Orders',
    panels: [
      lines('Orders per second', 'ops', ['rate(raay_orders_total%[1m])', 'orders']),
      lines(
        'Latency of orders',
        's',
        ['histogram_quantile(0.5, rate(raay_order_latency_seconds_bucket%[5m]))', 'p50'],
        ['histogram_quantile(0.99, rate(raay_order_latency_seconds_bucket%[5m]))', 'p99'],
      ),
      lines('Waiting at the shards', 'short', ['raay_shard_queue_length%', 'shard {{shard}}']),
      lines('Batches in flight', 'short', ['raay_shard_batches_in_flight%', 'shard {{shard}}']),
      lines('Open orders', 'short', ['raay_open_orders%', 'orders']),
      lines('Refused requests per second', 'reqps', ['rate(raay_requests_refused_total%[5m])', '{{status}}']),
    ],
  },
  {
    title: 'Process',
    panels: [
      lines('Delay of the event loop', 's', ['raay_event_loop_delay_seconds%', 'quantile {{quantile}}']),
      lines('Connections', 'short', ['raay_connections%', 'connections'], ['raay_sockets%', 'WebSockets']),
      lines('Subscriptions', 'short', ['raay_subscriptions%', 'subscriptions']),
      lines('Unsent bytes', 'bytes', ['raay_unsent_bytes%', 'unsent']),
      lines('Reads waiting', 'short', ['raay_reads_waiting%', '{{lane}}']),
      lines('Reads refused per second', 'reqps', ['rate(raay_reads_refused_total%[5m])', '{{lane}}']),
    ],
  },
  {
    title: 'Storage',
    panels: [
      lines('Disk', 'bytes', ['raay_disk_free_bytes%', 'free'], ['raay_disk_reserve_bytes%', 'reserve']),
      lines('State of the disk', 'short', ['raay_disk_state%', '{{state}}']),
      lines(
        'Files',
        'bytes',
        ['raay_database_bytes%', 'tables'],
        ['raay_journal_bytes%', 'journal'],
        ['raay_archive_bytes%', 'archive'],
      ),
      lines(
        'Write-ahead logs',
        'bytes',
        ['raay_wal_bytes%', 'tables'],
        ['raay_journal_wal_bytes%', 'journal'],
      ),
      lines(
        'Tables behind the journal',
        'short',
        ['raay_tables_commands_behind%', 'commands'],
        ['raay_journal_sequence% - raay_tables_sequence%', 'batches'],
        ['raay_tables_reads_waiting%', 'reads that wait for them'],
      ),
      lines('Replica behind the journal', 'short', [
        'raay_journal_sequence% - raay_replicated_through%',
        'batches',
      ]),
      lines('Standby: since it had all of the log', 's', ['raay_standby_lag_seconds%', 'lag']),
      lines(
        'Standby behind the log',
        'short',
        ['raay_standby_log_sequence% - raay_journal_sequence%', 'batches'],
        ['raay_leads%', 'leads'],
      ),
      lines(
        'Backups',
        's',
        ['time() - raay_last_backup_timestamp_seconds%', 'since the last'],
        ['raay_next_backup_timestamp_seconds% - time()', 'until the next'],
        ['time() - raay_last_backup_failure_timestamp_seconds%', 'since the last failure'],
      ),
      lines('Duration of verifications', 's', ['raay_last_verification_seconds%', 'verification']),
      lines(
        'Alarms',
        'short',
        ['raay_clock_held%', 'clock held'],
        ['1 - raay_verification_ok%', 'verification failed'],
        ['raay_replication_failing%', 'replication failing'],
        ['raay_replication_trim_failing%', 'old batches not deleted'],
        ['raay_standby_failing%', 'standby hears nothing'],
      ),
    ],
  },
]
