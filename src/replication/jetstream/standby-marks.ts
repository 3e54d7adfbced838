import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { JetStreamManager } from '@nats-io/jetstream'
import type { KV } from '@nats-io/kv'
import { Kvm } from '@nats-io/kv'
import { nanos } from '@nats-io/transport-node'
import type { Sequence } from '../../core/units.js'
import type { OpenStream } from './open-stream.js'
import { REQUEST_MS } from './open-stream.js'

/** A mark lapses no sooner than this, however short lines are kept: it is said once a minute. */
const LIFE_MS_MIN = 3_600_000
/** Standbys with marks; more are of processes that lose their data directory at each start. */
const MARKS_MAX = 1000
/** Room for more marks than that. */
const SIZE_MAX = 2_000_000
const TEXT = /^\d{1,16}$/

/** How far a standby is: it has the lines up to this one. */
export interface StandbyMark {
  /** Tells it from all others; a restart keeps it. */
  readonly id: string
  readonly sequence: Sequence
}

/**
 * The marks of the standbys of a log, which lapse by the clock of its servers if they are not said again for
 * as long as lines are kept.
 */
export interface StandbyMarks {
  say(mark: StandbyMark): Promise<void>
  withdraw(id: string): Promise<void>
  read(): Promise<readonly StandbyMark[]>
}

interface BucketParts {
  readonly manager: JetStreamManager
  readonly bucket: KV
  readonly name: string
  readonly lifeMs: number
}

/** Marks as the keys of a bucket beside the stream: on disk, so that a restart of the servers keeps them. */
class BucketMarks implements StandbyMarks {
  readonly #manager: JetStreamManager
  readonly #bucket: KV
  readonly #name: string
  readonly #lifeMs: number

  constructor({ manager, bucket, name, lifeMs }: BucketParts) {
    this.#manager = manager
    this.#bucket = bucket
    this.#name = name
    this.#lifeMs = lifeMs
  }

  async say({ id, sequence }: StandbyMark): Promise<void> {
    await this.#bucket.put(id, String(sequence))
  }

  async withdraw(id: string): Promise<void> {
    await this.#bucket.delete(id)
  }

  /** Reads all marks. One that cannot be read is of a standby that needs everything. */
  async read(): Promise<readonly StandbyMark[]> {
    const { streams } = this.#manager
    const stream = `KV_${this.#name}`
    const { config, state } = await streams.info(stream, { subjects_filter: '>' })
    const max_age = nanos(this.#lifeMs)
    // It was made by a standby, or before another setting.
    if (config.max_age !== max_age) await streams.update(stream, { max_age })
    const subjects = Object.keys(state.subjects ?? {})
    if (subjects.length > MARKS_MAX) {
      throw new Error(`${stream} has marks of ${subjects.length} standbys: delete those that are gone`)
    }
    const marks: StandbyMark[] = []
    for (const subject of subjects) {
      const id = subject.slice(subject.lastIndexOf('.') + 1)
      const entry = await this.#bucket.get(id)
      if (entry?.operation !== 'PUT') continue
      const text = entry.string()
      marks.push({ id, sequence: (TEXT.test(text) ? Number(text) : 0) as Sequence })
    }
    return marks
  }
}

/** Opens the marks beside a stream; creates their bucket if it is absent. */
export async function openStandbyMarks(
  { name: journal, connection, info }: Pick<OpenStream, 'name' | 'connection' | 'info'>,
  keepMs: number,
): Promise<StandbyMarks> {
  const name = `${journal}-standbys`
  const lifeMs = Math.max(keepMs, LIFE_MS_MIN)
  const bucket = await new Kvm(jetstream(connection, { timeout: REQUEST_MS })).create(name, {
    ttl: lifeMs,
    history: 1,
    replicas: info.config.num_replicas,
    storage: 'file',
    max_bytes: SIZE_MAX,
    allow_direct: false,
  })
  const manager = await jetstreamManager(connection, { timeout: REQUEST_MS, checkAPI: false })
  return new BucketMarks({ manager, bucket, name, lifeMs })
}
