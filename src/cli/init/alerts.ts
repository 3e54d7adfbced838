/** One alert of Prometheus. Its section in the guide Operating has the same name. */
export interface Alert {
  readonly name: string
  /** `page` wants a person now, `ticket` within a day. */
  readonly severity: 'page' | 'ticket'
  readonly expr: string
  /** How long the expression must hold, as Prometheus writes durations. */
  readonly holdsFor: string
  readonly summary: string
}

/** The name of the job in the configuration of Prometheus. */
export const JOB = 'raay'
const DAY = 86_400

/** The alerts, the most urgent first. */
export const ALERTS: readonly Alert[] = [
  {
    name: 'RaayDown',
    severity: 'page',
    expr: `up{job="${JOB}"} == 0 or absent(up{job="${JOB}"})`,
    holdsFor: '1m',
    summary: 'The exchange does not answer',
  },
  {
    name: 'RaayRestartsOften',
    severity: 'page',
    expr: 'resets(raay_uptime_seconds[30m]) >= 3',
    holdsFor: '0m',
    summary: 'The exchange has started three times within half an hour',
  },
  {
    name: 'RaayDiskLow',
    severity: 'page',
    expr: 'raay_disk_state{state="ok"} == 0',
    holdsFor: '0m',
    summary: 'The disk is nearly full: orders are refused',
  },
  {
    name: 'RaayDiskFillsUp',
    severity: 'ticket',
    expr: `predict_linear(raay_disk_free_bytes[6h], ${4 * DAY}) < raay_disk_reserve_bytes`,
    holdsFor: '1h',
    summary: 'At the pace of the last hours the disk is full within four days',
  },
  {
    name: 'RaayVerificationFailed',
    severity: 'page',
    expr: 'raay_verification_ok == 0',
    holdsFor: '0m',
    summary: 'The last verification found damage in the files',
  },
  {
    name: 'RaayNotVerified',
    severity: 'ticket',
    expr: `time() - raay_last_verification_timestamp_seconds > ${3 * DAY}
or (raay_uptime_seconds > ${DAY} unless raay_verification_ok)`,
    holdsFor: '1h',
    summary: 'No verification has ended for days',
  },
  {
    name: 'RaayBackupFailed',
    severity: 'ticket',
    expr: `raay_last_backup_failure_timestamp_seconds > raay_last_verified_backup_timestamp_seconds
or (raay_last_backup_failure_timestamp_seconds unless raay_last_verified_backup_timestamp_seconds)`,
    holdsFor: '15m',
    summary: 'The last backup, or its verification, failed',
  },
  {
    name: 'RaayBackupOld',
    severity: 'ticket',
    // A standby makes no backups.
    expr: `(time() - raay_last_verified_backup_timestamp_seconds > ${1.5 * DAY}
or (raay_uptime_seconds > ${DAY} unless raay_last_verified_backup_timestamp_seconds)
or time() - raay_next_backup_timestamp_seconds > ${DAY / 4})
unless on (job, instance) raay_leads == 0`,
    holdsFor: '10m',
    summary: 'The newest verified backup is older than a day and a half, or there is none',
  },
  {
    name: 'RaayReplicationFailing',
    severity: 'ticket',
    expr: `raay_replication_failing == 1
or (raay_journal_sequence > raay_replicated_through and delta(raay_replicated_through[10m]) == 0)`,
    holdsFor: '5m',
    summary: 'The journal is not copied elsewhere, so that a loss of the machine would take more',
  },
  {
    name: 'RaayStandbyBehind',
    severity: 'ticket',
    expr: 'raay_standby_lag_seconds > 10',
    holdsFor: '1m',
    summary: 'A standby does not get the journal: it answers no reads, and would lead later',
  },
  {
    name: 'RaayTablesBehind',
    severity: 'ticket',
    expr: 'raay_tables_commands_behind > 25000',
    holdsFor: '2m',
    summary: 'The tables fall behind the journal; at 50,000 commands orders have to wait',
  },
  {
    name: 'RaayTooBusy',
    severity: 'page',
    expr: 'rate(raay_requests_refused_total{status="503"}[5m]) > 1',
    holdsFor: '5m',
    summary: 'More than one request a second is refused with 503',
  },
  {
    name: 'RaayFaults',
    severity: 'ticket',
    expr: 'increase(raay_requests_refused_total{status="500"}[10m]) > 0',
    holdsFor: '0m',
    summary: 'Requests were answered with 500',
  },
  {
    name: 'RaayManyRefusals',
    severity: 'ticket',
    expr: 'sum by (instance, job) (rate(raay_requests_refused_total{status=~"401|403|429"}[5m])) > 5',
    holdsFor: '10m',
    summary: 'More than five requests a second are refused: wrong keys, missing rights or rate limits',
  },
  {
    name: 'RaayEventLoopLate',
    severity: 'ticket',
    expr: 'raay_event_loop_delay_seconds{quantile="0.99"} > 0.25',
    holdsFor: '10m',
    summary: 'The main thread is late by more than a quarter of a second',
  },
  {
    name: 'RaayOrdersSlow',
    severity: 'ticket',
    expr: 'histogram_quantile(0.99, rate(raay_order_latency_seconds_bucket[5m])) > 0.5',
    holdsFor: '10m',
    summary: 'One order of a hundred takes more than half a second',
  },
  {
    name: 'RaayClockHeld',
    severity: 'page',
    expr: 'raay_clock_held == 1',
    holdsFor: '0m',
    summary: 'The clock of the machine jumped ahead, and the exchange keeps its own time',
  },
  {
    name: 'RaayCertificateExpires',
    severity: 'ticket',
    expr: `raay_certificate_expires_timestamp_seconds - time() < ${7 * DAY}`,
    holdsFor: '1h',
    summary: 'The certificate expires within a week',
  },
]
