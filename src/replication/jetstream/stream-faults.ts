import type { StreamConfig } from '@nats-io/jetstream'

/** The part of a stream's configuration that is checked. */
export type StreamSettings = Partial<
  Pick<
    StreamConfig,
    | 'storage'
    | 'retention'
    | 'discard'
    | 'num_replicas'
    | 'max_age'
    | 'max_msgs'
    | 'max_msgs_per_subject'
    | 'deny_delete'
    | 'mirror'
    | 'sources'
    | 'subjects'
    | 'max_msg_size'
    | 'no_ack'
    | 'sealed'
  >
>

/** A server's JetStream, as `config` of `$SYS.REQ.SERVER.PING.JSZ` has it. */
export interface ServerSync {
  readonly name: string
  readonly syncAlways: boolean
}

/** The replicas without which a server that dies for good takes acknowledged lines with it. */
export const REPLICAS_MIN = 3
/** Room for the largest batch, with its headers. */
export const MESSAGE_SIZE_MIN = 1_048_576

/** Returns why a stream could lose lines that it has acknowledged, each with what to change. */
export function streamFaults(config: StreamSettings, subject: string, mode: 'sync' | 'async'): string[] {
  const faults: string[] = []
  const unless = (isRight: boolean, fault: string) => {
    if (!isRight) faults.push(fault)
  }
  unless(config.storage === 'file', 'its storage is not file')
  unless(config.retention === 'limits', 'its retention is not limits: others could remove lines')
  unless(config.discard === 'new', 'it discards old messages when it is full: set discard to new')
  unless(!isLimited(config.max_age), 'it has a max age: set it to 0')
  unless(!isLimited(config.max_msgs_per_subject), 'it has max messages per subject: set it to -1')
  unless(config.deny_delete === true, 'messages can be deleted: a stream is made with deny_delete')
  unless(config.mirror === undefined, 'it mirrors another stream')
  unless((config.sources ?? []).length === 0, 'it has sources, whose messages would come between lines')
  unless(config.no_ack !== true, 'it acknowledges nothing: set no_ack to false')
  unless(config.sealed !== true, 'it is sealed')
  const size = config.max_msg_size ?? -1
  unless(size < 0 || size >= MESSAGE_SIZE_MIN, `its max message size is under ${MESSAGE_SIZE_MIN}`)
  unless(
    config.subjects?.length === 1 && config.subjects[0] === subject,
    `its only subject must be ${subject}`,
  )
  const replicas = config.num_replicas ?? 1
  unless(
    mode === 'async' || replicas >= REPLICAS_MIN,
    `it has ${replicas} replicas: sync needs ${REPLICAS_MIN}`,
  )
  return faults
}

function isLimited(limit: number | undefined): boolean {
  return limit !== undefined && limit > 0
}

/**
 * Returns why servers may lose lines in a power failure; undefined if each writes them to disk first.
 *
 * @param keepers the names of those that keep the stream: others of their cluster do not matter
 */
export function syncFault(servers: readonly ServerSync[], keepers: readonly string[]): string | undefined {
  const found = servers.filter(({ name }) => keepers.includes(name))
  const silent = keepers.filter(keeper => !found.some(({ name }) => name === keeper))
  if (silent.length > 0) {
    const answered = `${keepers.length - silent.length} of ${keepers.length} servers answered`
    return `${answered} to the system account, and not ${silent.join(', ')}`
  }
  const unsynced = found.filter(({ syncAlways }) => !syncAlways).map(({ name }) => name)
  if (unsynced.length === 0) return undefined
  return `${unsynced.join(', ')} acknowledge before the disk has it: set jetstream { sync_interval: always }`
}

/** Reads a server's answer to `$SYS.REQ.SERVER.PING.JSZ`; undefined if its configuration is not in it. */
export function serverSync(answer: unknown): ServerSync | undefined {
  const { server, data } = (answer ?? {}) as {
    server?: { name?: string }
    data?: { config?: { sync_always?: boolean } }
  }
  if (data?.config === undefined) return undefined
  return { name: server?.name ?? 'a server', syncAlways: data.config.sync_always === true }
}
