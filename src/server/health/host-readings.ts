import type { Host, ReplicationReading } from '../../api/operator/health-reading.js'
import type { Gateway } from '../../ws/gateway.js'
import type { Connections } from '../connections.js'
import type { Doctor } from '../doctor/doctor.js'
import type { Schedules } from '../schedules.js'
import type { ServerFiles } from '../server-files.js'
import type { OpenedDoor } from '../site/open-door.js'
import type { HealthSampling } from './health-sampling.js'
import type { HostStanding } from './host-standing.js'

interface HostParts {
  readonly standing: HostStanding
  /** A monotonic clock in milliseconds. */
  readonly watch: () => number
  readonly gateway: Gateway
  readonly connections: Connections
  readonly sampling: HealthSampling
  readonly doctor: Doctor
  readonly schedules: Pick<Schedules, 'verifying' | 'backingUp'>
  readonly files: Pick<
    ServerFiles,
    'exchange' | 'standby' | 'replica' | 'storeReplica' | 'trimming' | 'replicated'
  >
  readonly doorway: Pick<OpenedDoor, 'requests' | 'certificate'>
}

/** Returns what the app reads of the process that it runs in, whose uptime begins now. */
export function hostOf(parts: HostParts): Host {
  const { standing, watch, gateway, connections, sampling, doctor, files } = parts
  const { verifying, backingUp } = parts.schedules
  const { requests, certificate } = parts.doorway
  const startedAt = watch()
  return {
    node: process.version,
    examine: () => doctor.examine(),
    uptimeMs: () => watch() - startedAt,
    connections: () => connections.count,
    unsentBytes: () => connections.unsentBytes,
    sockets: () => gateway.connectionCount,
    subscriptions: () => gateway.subscriptionCount,
    loopDelay: () => sampling.loopDelay.read(),
    curve: range => sampling.curve(range),
    standing: standing.read,
    isBehind: standing.isBehind,
    replication: () => replicationOf(files),
    promote: by => promote(files, by),
    verification: () => verifying.last,
    nextBackupAt: () => backingUp.nextAt,
    refusals: () => requests.counts,
    certificateValidTo: () => certificate?.current.validTo,
  }
}

/** Makes a standby lead; one that leads has nothing to do. Resolves to the last batch. */
async function promote(
  { exchange, standby }: HostParts['files'],
  by: Parameters<Host['promote']>[0],
): Promise<number> {
  if (!exchange.leads) await standby?.promote(by)
  return exchange.sequence
}

/** Returns how far the copy of journal, accounts and site elsewhere is; undefined without one. */
export function replicationOf({
  storeReplica,
  replica,
  trimming,
  replicated,
}: Pick<ServerFiles, 'storeReplica' | 'replica' | 'trimming' | 'replicated'>):
  | ReplicationReading
  | undefined {
  const { replicatedThrough: through, failure } = replica ?? {}
  const reading = storeReplica?.read() ?? (replica && { through, failure, ...trimming?.read() })
  return reading && { ...reading, failure: reading.failure ?? replicated?.failure }
}
