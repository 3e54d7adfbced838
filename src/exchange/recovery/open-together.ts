import type { ShardPool } from '../../shard/shard-pool.js'

/** Opens the shards while running other work; closes the shards again if that work fails. */
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
