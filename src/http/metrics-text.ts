import type { Host } from '../api/operator/health-reading.js'
import type { Health } from '../exchange/operations/health.js'
import { LATENCY_BUCKETS_MS } from '../exchange/operations/order-meter.js'

const ROOM_STATES = ['ok', 'low', 'full'] as const

type Labels = Readonly<Record<string, string | number>>
type Sample = readonly [labels: Labels, value: number, suffix?: string]

/** Returns the metrics in the text format of Prometheus, version 0.0.4: seconds and bytes. */
export function metricsText(health: Health, host: Host, version: string): string {
  const { orders, shards, reads, users, markets, openOrders, disk, clock } = health
  const { p50, p99, max } = host.loopDelay()
  const one = (value: number): Sample[] => [[{}, value]]
  return [
    family('raay_build_info', 'gauge', 'The version that runs.', [[{ version, node: process.version }, 1]]),
    family('raay_uptime_seconds', 'gauge', 'Since the exchange listens.', one(host.uptimeMs() / 1000)),
    family('raay_orders_total', 'counter', 'Orders that were answered.', one(orders.total)),
    family(
      'raay_order_latency_seconds',
      'histogram',
      'From the admission of an order to its answer.',
      latency(orders),
    ),
    family(
      'raay_shard_queue_length',
      'gauge',
      'Commands that wait at a shard.',
      shards.map(({ queueLength }, shard) => [{ shard }, queueLength]),
    ),
    family(
      'raay_shard_batches_in_flight',
      'gauge',
      'Batches that a shard decides and writes.',
      shards.map(({ batchesInFlight }, shard) => [{ shard }, batchesInFlight]),
    ),
    family('raay_reads_waiting', 'gauge', 'Questions that wait for the reader.', readsOf(reads, 'waiting')),
    family(
      'raay_reads_refused_total',
      'counter',
      'Questions that found no room or waited too long.',
      readsOf(reads, 'refused'),
    ),
    family(
      'raay_requests_refused_total',
      'counter',
      'Requests answered with 401, 403, 421, 429 or 5xx.',
      [...host.refusals()].map(([status, count]) => [{ status }, count]),
    ),
    ...hostFamilies(host),
    family('raay_accounts', 'gauge', 'Users with an account.', one(users)),
    family('raay_events', 'gauge', 'Events, whatever their state.', one(markets)),
    family('raay_open_orders', 'gauge', 'Orders that rest.', one(openOrders)),
    ...diskFamilies(disk),
    clockFamily(clock),
    ...storageFamilies(health),
    ...backupFamilies(health, host),
    ...replicationFamilies(host),
    ...standingFamilies(host),
    ...verificationFamilies(host),
    family('raay_event_loop_delay_seconds', 'gauge', 'How late the main thread was, in up to a minute.', [
      [{ quantile: 0.5 }, p50 / 1000],
      [{ quantile: 0.99 }, p99 / 1000],
      [{ quantile: 1 }, max / 1000],
    ]),
  ].join('')
}

/** Returns no value for what has not happened yet. */
function backupFamilies({ backups }: Health, host: Host): string[] {
  const at = (ms: number | undefined): Sample[] => (ms === undefined ? [] : [[{}, ms / 1000]])
  const { last, lastVerified, failure } = backups
  return [
    family(
      'raay_last_backup_timestamp_seconds',
      'gauge',
      'When the newest backup was begun; absent while there is none.',
      at(last?.at),
    ),
    family(
      'raay_last_verified_backup_timestamp_seconds',
      'gauge',
      'When the newest backup that was found in order was begun.',
      at(lastVerified?.at),
    ),
    family(
      'raay_last_backup_failure_timestamp_seconds',
      'gauge',
      'When a backup or its verification last failed, since the start.',
      at(failure?.at),
    ),
    family(
      'raay_next_backup_timestamp_seconds',
      'gauge',
      'When the next scheduled backup is due.',
      at(host.nextBackupAt()),
    ),
  ]
}

/** Returns no values without a copy elsewhere, and no batch before its place has answered. */
function replicationFamilies(host: Host): string[] {
  const reading = host.replication()
  const through = reading?.through
  return [
    family(
      'raay_replicated_through',
      'gauge',
      'The last batch of the journal that its copy elsewhere is known to hold.',
      through === undefined ? [] : [[{}, through]],
    ),
    family(
      'raay_replication_failing',
      'gauge',
      '1 while attempts to copy the journal elsewhere fail.',
      reading === undefined ? [] : [[{}, Number(reading.failure !== undefined)]],
    ),
    family(
      'raay_replication_trim_failing',
      'gauge',
      '1 while old batches of the copy cannot be deleted.',
      reading === undefined ? [] : [[{}, Number(reading.trimFailure !== undefined)]],
    ),
  ]
}

/** Returns no lag for an exchange that leads, and no batch before the log has said it. */
function standingFamilies(host: Host): string[] {
  const { leads, logEnd, lagMs, failure } = host.standing()
  const ofStandby = (value: number): Sample[] => (leads ? [] : [[{}, value]])
  return [
    family('raay_leads', 'gauge', '1 if this exchange leads, 0 if it follows another one.', [
      [{}, Number(leads)],
    ]),
    family(
      'raay_standby_lag_seconds',
      'gauge',
      'How long ago this standby had all of the log.',
      ofStandby(lagMs / 1000),
    ),
    family(
      'raay_standby_log_sequence',
      'gauge',
      'The last batch of the log that this standby follows.',
      logEnd === undefined ? [] : ofStandby(logEnd),
    ),
    family(
      'raay_standby_failing',
      'gauge',
      '1 while the log does not answer this standby.',
      ofStandby(Number(failure !== undefined)),
    ),
  ]
}

/** Returns no values before the first verification has ended; a failed one says nothing about the file. */
function verificationFamilies(host: Host): string[] {
  const last = host.verification()
  const one = (value: number): Sample[] => [[{}, value]]
  const verdict = last === undefined || last.result === 'failed' ? [] : one(Number(last.result === 'ok'))
  return [
    family(
      'raay_verification_ok',
      'gauge',
      '1 where the last verification found the file in order.',
      verdict,
    ),
    family(
      'raay_verification_findings',
      'gauge',
      'What it found.',
      last === undefined || last.result === 'failed' ? [] : one(last.count),
    ),
    family(
      'raay_last_verification_timestamp_seconds',
      'gauge',
      'When the last one was begun.',
      last === undefined ? [] : one(last.at / 1000),
    ),
    family(
      'raay_last_verification_seconds',
      'gauge',
      'How long it took.',
      last === undefined ? [] : one(last.seconds),
    ),
  ]
}

function hostFamilies(host: Host): string[] {
  const validTo = host.certificateValidTo()
  const one = (value: number): Sample[] => [[{}, value]]
  return [
    family('raay_connections', 'gauge', 'Open TCP connections, HTTP or WebSocket.', one(host.connections())),
    family(
      'raay_unsent_bytes',
      'gauge',
      'Bytes that wait for clients to read them.',
      one(host.unsentBytes()),
    ),
    family('raay_sockets', 'gauge', 'Open WebSocket connections.', one(host.sockets())),
    family('raay_subscriptions', 'gauge', 'Channels that they follow.', one(host.subscriptions())),
    family(
      'raay_certificate_expires_timestamp_seconds',
      'gauge',
      'When the certificate in use expires; none without TLS of its own.',
      validTo === undefined ? [] : one(validTo / 1000),
    ),
  ]
}

function clockFamily({ heldSince }: Health['clock']): string {
  return family('raay_clock_held', 'gauge', '1 while a clock that jumped ahead is not followed.', [
    [{}, Number(heldSince !== undefined)],
  ])
}

function readsOf(reads: Health['reads'], value: 'waiting' | 'refused'): Sample[] {
  return Object.entries(reads).map(([lane, load]) => [{ lane }, load[value]])
}

function diskFamilies({ state, freeBytes, reserveBytes }: Health['disk']): string[] {
  return [
    family('raay_disk_free_bytes', 'gauge', 'Room on the disk of the data.', [[{}, freeBytes]]),
    family('raay_disk_reserve_bytes', 'gauge', 'Kept beside it for starts and stops.', [[{}, reserveBytes]]),
    family(
      'raay_disk_state',
      'gauge',
      '1 for the state it is in; low: cancels and reads only, full: reads only.',
      ROOM_STATES.map(name => [{ state: name }, Number(name === state)]),
    ),
  ]
}

function latency({ atMost, total, sumMs }: Health['orders']): Sample[] {
  const ends = [...LATENCY_BUCKETS_MS.map(end => String(end / 1000)), '+Inf']
  return [
    ...ends.map((le, index): Sample => [{ le }, atMost[index] ?? total, '_bucket']),
    [{}, sumMs / 1000, '_sum'],
    [{}, total, '_count'],
  ]
}

/** Returns one metric: its help, type and values, none of which contain a client's text. */
function family(name: string, type: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(
    ([labels, value, suffix = '']) => `${name}${suffix}${labelText(labels)} ${value}\n`,
  )
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  return parts.length === 0 ? '' : `{${parts.join(',')}}`
}

/** Returns the sizes of tables and journal, and how far the tables follow. */
function storageFamilies({ file, tables, sequence }: Health) {
  const one = (value: number): Sample[] => [[{}, value]]
  return [
    family('raay_database_bytes', 'gauge', 'The size of the tables.', one(file.database)),
    family('raay_wal_bytes', 'gauge', 'The size of their write-ahead log.', one(file.wal)),
    family('raay_journal_bytes', 'gauge', 'The size of the journal.', one(file.journal)),
    family('raay_journal_wal_bytes', 'gauge', 'The size of its write-ahead log.', one(file.journalWal)),
    family('raay_archive_bytes', 'gauge', 'The size of the archive.', one(file.archive)),
    family('raay_tables_sequence', 'counter', 'The last batch in the tables.', one(tables.reached)),
    family(
      'raay_tables_commands_behind',
      'gauge',
      'Commands in the journal that the tables lack.',
      one(tables.behind),
    ),
    family('raay_tables_reads_waiting', 'gauge', 'Reads that wait for the tables.', one(tables.waiting)),
    family('raay_journal_sequence', 'counter', 'The last batch in the journal.', one(sequence)),
  ]
}
