import type { StoreKeys } from '../../backup/stores/encrypted-store.js'
import type { CompanionKind } from '../../store/companions/companion-kind.js'
import type { RowImage } from '../../store/companions/table-rows.js'
import type { Pack } from './pack.js'
import { refuseNewer } from './pack.js'
import type { PackLog } from './pack-log.js'
import { packAt, refuseGap } from './pack-log.js'
import { PackRows } from './pack-rows.js'

interface SnapshotParts {
  readonly log: PackLog
  readonly kind: CompanionKind
  readonly identities: StoreKeys['identities']
}

/**
 * Reads the snapshot that begins with a pack, and then the rows that changed while it was sent. Returns its
 * last pack, and the last one of those rows.
 *
 * @param put hands rows over, some at a time
 */
export async function readSnapshot(
  { log, kind, identities }: SnapshotParts,
  base: number,
  put: (rows: readonly RowImage[]) => void,
): Promise<readonly [Pack, Pack]> {
  const between: Pack[] = []
  const packed = new PackRows(identities)
  for (let pack = await next(log, base); ; pack = await next(log, pack.head.place + 1, pack)) {
    refuseNewer(pack.head, kind, log.name)
    if (pack.head.kind !== 'snapshot') {
      between.push(pack)
      continue
    }
    const rows: RowImage[] = []
    await packed.add(pack, rows)
    put(rows)
    if (pack.head.isLast) return [pack, await putBetween(between, packed, pack, put)]
  }
}

/** Takes the rows that changed while a snapshot was sent; returns the last pack with any. */
async function putBetween(
  packs: readonly Pack[],
  packed: PackRows,
  snapshot: Pack,
  put: (rows: readonly RowImage[]) => void,
): Promise<Pack> {
  let last = snapshot
  let rows: RowImage[] = []
  for (const pack of packs) {
    if (pack.head.isFirst) rows = []
    if (!(await packed.add(pack, rows))) continue
    put(rows)
    last = pack
  }
  return last
}

async function next(log: PackLog, place: number, before?: Pack): Promise<Pack> {
  const pack = await packAt(log, place)
  if (pack !== undefined && (before === undefined || pack.head.before === before.hash)) return pack
  await refuseGap(log, place, before && { place: before.head.place, hash: before.hash })
  throw new Error(`pack ${place} of ${log.name} was deleted while it was read`)
}
