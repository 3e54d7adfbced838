import type { ShardPool } from '../../shard/shard-pool.js'

/** Answers the shards, and what is worked out while they open; where that fails, the shards are closed. */
export async function openTogether<T>(
  opening: Promise<ShardPool>,
  meanwhile: () => T,
): Promise<[ShardPool, T]> {
  try {
    const result = meanwhile()
    return [await opening, result]
  } catch (error) {
    await opening.then(
      shards => shards.close(),
      () => undefined,
    )
    throw error
  }
}
