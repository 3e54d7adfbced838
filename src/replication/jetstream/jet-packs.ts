import type { JetStreamClient } from '@nats-io/jetstream'
import { JetStreamApiCodes, JetStreamApiError, jetstream } from '@nats-io/jetstream'
import type { Companion } from '../../store/files/companion-files.js'
import { COMPANIONS } from '../../store/files/companion-files.js'
import type { PackLog } from '../companions/pack-log.js'
import type { ReplicationSettings } from '../replica-messages.js'
import { LogLostError } from '../replication-error.js'
import type { SideStream } from './open-stream.js'
import { oncePassed, openSideStreams, REQUEST_MS, streamOptionsOf } from './open-stream.js'

/**
 * Packs as the messages of a stream beside the journal's, whose sequences are their places. As there, the
 * condition is the *stream's* last message.
 */
export class JetPacks implements PackLog {
  readonly name: string
  readonly #stream: SideStream
  readonly #client: JetStreamClient

  constructor(stream: SideStream) {
    this.#stream = stream
    this.name = stream.name
    this.#client = jetstream(stream.connection, { timeout: REQUEST_MS })
  }

  async put(place: number, pack: Uint8Array): Promise<boolean> {
    const { subject, name } = this.#stream
    try {
      const ack = await this.#client.publish(subject, pack, {
        expect: { lastSequence: place - 1, streamName: name },
        timeout: REQUEST_MS,
      })
      return ack.seq === place && !ack.duplicate
    } catch (error) {
      if (!(error instanceof JetStreamApiError) || error.code !== JetStreamApiCodes.StreamWrongLastSequence)
        throw error
      const last = await this.last()
      if (last < place - 1) {
        throw new LogLostError(`${name} ends at pack ${last}, and had acknowledged pack ${place - 1}`)
      }
      return false
    }
  }

  async get(place: number): Promise<Uint8Array | undefined> {
    const { manager, name } = this.#stream
    try {
      return (await oncePassed(() => manager.streams.getMessage(name, { seq: place })))?.data
    } catch (error) {
      const isMissing = error instanceof JetStreamApiError && error.code === JetStreamApiCodes.NoMessageFound
      if (isMissing) return undefined
      throw error
    }
  }

  /** The condition of a message is the stream's last one, which a purge does not change. */
  async confirm(): Promise<void> {
    // Nothing to look at.
  }

  async last(): Promise<number> {
    const { manager, name } = this.#stream
    return (await oncePassed(() => manager.streams.info(name))).state.last_seq
  }

  async trim(before: number): Promise<void> {
    const { manager, name } = this.#stream
    // The servers take 1 for a purge of everything.
    if (before > 1) await manager.streams.purge(name, { seq: before })
  }
}

/** The packs of all companions, on one connection. */
export interface JetPackLogs {
  readonly of: (companion: Companion) => JetPacks
  readonly close: () => Promise<void>
}

/** Opens the streams of packs beside that of the journal, which is there. */
export async function openJetPacks(settings: ReplicationSettings, exchange: string): Promise<JetPackLogs> {
  const streams = await openSideStreams(
    streamOptionsOf(settings, exchange, () => undefined),
    COMPANIONS,
  )
  return {
    of: companion => new JetPacks(streams[companion]),
    close: () => streams.accounts.connection.close(),
  }
}
