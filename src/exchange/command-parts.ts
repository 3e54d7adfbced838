import type { ShardPool } from '../shard/shard-pool.js'
import type { Desk } from './desk.js'
import type { Sources } from './sources.js'

/** Needed to decide commands and have them committed. */
export interface CommandParts {
  readonly desk: Desk
  readonly shards: ShardPool
  readonly sources: Sources
}
