import type { CurveAnswer, HealthAnswer } from './admin-answer.js'
import { backupView } from './backup-view.js'
import type {
  HealthCurve,
  HealthPoint,
  HealthReading,
  Host,
  ReplicationReading,
  Standing,
  VerificationReading,
} from './health-reading.js'

const round = (value: number) => Math.round(value * 1000) / 1000
const roundOrNull = (value: number | undefined) => (value === undefined ? null : round(value))

/**
 * Returns the state of the exchange for operators: the uptime in seconds, all other times in milliseconds.
 */
export function healthView(health: HealthReading, host: Host, version: string): HealthAnswer {
  const { orders, shards, reads, users, markets, openOrders, file, disk, clock, backups, sequence, tables } =
    health
  const { p50, p99, max } = host.loopDelay()
  return {
    uptime: round(host.uptimeMs() / 1000),
    version,
    node: host.node,
    orders: {
      total: orders.total,
      per_second: round(orders.perSecond.second),
      per_second_of_minute: round(orders.perSecond.minute),
      latency_p50: roundOrNull(orders.p50Ms),
      latency_p99: roundOrNull(orders.p99Ms),
    },
    shards: shards.map(({ queueLength, batchesInFlight }, shard) => {
      return { shard, queue: queueLength, batches_in_flight: batchesInFlight }
    }),
    reads,
    connections: host.connections(),
    unsent_bytes: host.unsentBytes(),
    sockets: host.sockets(),
    subscriptions: host.subscriptions(),
    accounts: users,
    events: markets,
    open_orders: openOrders,
    database_bytes: file.database,
    wal_bytes: file.wal,
    journal_bytes: file.journal,
    journal_wal_bytes: file.journalWal,
    archive_bytes: file.archive,
    disk: { state: disk.state, free_bytes: disk.freeBytes, reserve_bytes: disk.reserveBytes },
    clock: clockView(clock),
    sequence,
    tables: { sequence: tables.reached, commands_behind: tables.behind, reads_waiting: tables.waiting },
    last_backup: backups.last === undefined ? null : backupView(backups.last),
    backups: backupsView(backups, host),
    replication: replicationView(host.replication(), sequence),
    ...standingView(host.standing()),
    last_verification: verificationView(host.verification()),
    event_loop_delay: { p50: round(p50), p99: round(p99), max: round(max) },
  }
}

/** Returns how the exchange was over a range, as columns for a chart. */
export function curveView({ stepMs, points }: HealthCurve): CurveAnswer {
  const column = <Value>(of: (point: HealthPoint) => Value) => points.map(of)
  return {
    step_seconds: stepMs / 1000,
    times: column(({ at }) => at),
    orders_per_second: column(({ ordersPerSecond }) => round(ordersPerSecond)),
    latency_p99: column(({ latencyP99Ms }) => roundOrNull(latencyP99Ms)),
    queue: column(({ queue }) => queue),
    event_loop_delay: column(({ loopDelayMs }) => round(loopDelayMs)),
    connections: column(({ connections }) => connections),
    memory_bytes: column(({ memoryBytes }) => memoryBytes),
    disk_free_bytes: column(({ freeBytes }) => freeBytes),
  }
}

function backupsView({ lastVerified, failure, verifying }: HealthReading['backups'], host: Host) {
  const nextAt = host.nextBackupAt()
  return {
    last_verified: lastVerified === undefined ? null : backupView(lastVerified),
    last_failure: failureView(failure),
    verifying: verifying ?? null,
    next: nextAt === undefined ? null : new Date(nextAt).toISOString(),
  }
}

function failureView(failure: HealthReading['backups']['failure']) {
  return failure === undefined
    ? null
    : { createdAt: new Date(failure.at).toISOString(), message: failure.message }
}

/** Returns what of the journal a copy elsewhere has; null without one. */
function replicationView(reading: ReplicationReading | undefined, sequence: number) {
  if (reading === undefined) return null
  const { through, failure, trimFailure, kept } = reading
  return {
    through: through ?? null,
    batches_behind: through === undefined ? null : Math.max(0, sequence - through),
    kept_from: kept?.from ?? null,
    kept_bytes: kept?.bytes ?? null,
    failure: failureView(failure),
    trim_failure: failureView(trimFailure),
  }
}

/** Returns the role of the exchange, and how a standby follows. */
function standingView({ leads, sequence, logEnd, lagMs, failure }: Standing) {
  if (leads) return { role: 'leader', following: null } as const
  const behind = logEnd === undefined ? null : Math.max(0, logEnd - sequence)
  const following = { log_end: logEnd ?? null, batches_behind: behind, lag_ms: round(lagMs) }
  return { role: 'standby', following: { ...following, failure: failure ?? null } } as const
}

function clockView({ heldSince, aheadMs }: HealthReading['clock']): HealthAnswer['clock'] {
  return {
    trusted: heldSince === undefined,
    held_since: heldSince === undefined ? null : new Date(heldSince).toISOString(),
    ahead_ms: aheadMs,
  }
}

function verificationView(reading: VerificationReading | undefined): HealthAnswer['last_verification'] {
  if (reading === undefined) return null
  const { at, seconds, result, findings, count } = reading
  return {
    result,
    createdAt: new Date(at).toISOString(),
    seconds: round(seconds),
    findings: [...findings],
    count,
  }
}
