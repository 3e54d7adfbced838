import type { MessagePort } from 'node:worker_threads'
import type { Sequence } from '../core/units.js'

/** A log that holds the journal's lines elsewhere, as shards and desk see it. */
export interface ReplicaLink {
  /** Returns a port for one shard, which sends each row before its commit. */
  rowsPort(): MessagePort
  /** Returns a promise that the log holds the batches up to one; undefined if nothing waits for that. */
  whenHeld(sequence: Sequence): Promise<void> | undefined
  /** Returns a promise of room for another batch while too many are not held; else undefined. */
  whenRoom(): Promise<void> | undefined
  /** Lets others lead, as soon as the log holds everything: nothing more will be decided. */
  release(): Promise<void>
  /** True while another exchange may lead in this one's place, and answers would not be in its log. */
  readonly isCutOff: boolean
}
