import type { StoreKeys } from '../../backup/stores/encrypted-store.js'
import type { CompanionKind } from '../../store/companions/companion-kind.js'
import { newestVersion } from '../../store/schema.js'
import { FencedError } from '../replication-error.js'
import type { Pack } from './pack.js'
import { LAST_EPOCH, writePack } from './pack.js'
import { PackFollower } from './pack-follower.js'
import type { PackLog } from './pack-log.js'
import { lastPack, putOnce } from './pack-log.js'

interface FetchOptions {
  readonly kind: CompanionKind
  /** The companion of a backup, which is brought to the log's end; made if it is missing. */
  readonly path: string
  readonly identities: StoreKeys['identities']
  /** Names who takes over: then nobody goes on behind the log's end. */
  readonly fence: string | undefined
}

/** Brings the companion of a backup to the end of a log, and ends that log if it is taken over. */
export async function fetchCompanion(log: PackLog, options: FetchOptions): Promise<void> {
  const { kind, path, identities, fence } = options
  if ((await lastPack(log)) === undefined) return
  const follower = new PackFollower({
    ...{ log, kind, path, identities, exchangeFile: undefined, warn: () => undefined },
  })
  try {
    await follower.open()
    for (;;) {
      await follower.catchUp()
      const last = await lastPack(log)
      if (fence === undefined || last === undefined || last.head.epoch === LAST_EPOCH) return
      await endLog(log, kind, last, fence)
    }
  } finally {
    follower.close()
  }
}

/** Puts the pack that ends a log behind its last one, unless another one was faster. */
async function endLog(log: PackLog, kind: CompanionKind, { head, hash }: Pack, owner: string): Promise<void> {
  const { bytes } = writePack(
    {
      ...{ ...head, owner, kind: 'begin', epoch: LAST_EPOCH, place: head.place + 1, before: hash },
      ...{ version: newestVersion(kind.schema), isFirst: true, isLast: true, isCut: false },
    },
    Buffer.alloc(0),
  )
  try {
    await putOnce(log, head.place + 1, bytes)
  } catch (error) {
    if (!(error instanceof FencedError)) throw error
  }
}
