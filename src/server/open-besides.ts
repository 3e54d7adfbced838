import type { Logger } from 'pino'
import type { Exchange } from '../exchange/exchange.js'
import type { Sources } from '../exchange/sources.js'
import { SiteStore } from '../site/site-store.js'
import type { DiskRoom } from '../store/disk-room.js'
import { companionPath } from '../store/files/companion-files.js'
import type { DataDirectory } from '../store/files/data-directory.js'
import { IdFile } from '../store/files/id-file.js'
import { logDoubts } from './companions.js'
import type { LiveConfig } from './live-config.js'
import { openAccess } from './open-access.js'

interface Beside {
  readonly exchange: Exchange
  readonly room: DiskRoom
  readonly log: Logger
}

/** Opens what no order depends on. Closes the exchange and rejects if the keys of tokens cannot be read. */
export async function openBesides(
  directory: DataDirectory,
  live: LiveConfig,
  sources: Sources,
  beside: Beside,
) {
  const { exchange, room, log } = beside
  const { file } = directory
  const usersLike = (folded: string) => exchange.archive.usersLike(folded)
  const heldNow = () => exchange.now()
  const of = { exchange: new IdFile(file).read(), isLenient: live.current.demo !== undefined }
  const opened = await openAccess(live, directory, sources, { log, usersLike, heldNow, of }).catch(
    async error => {
      await exchange.close()
      directory.release()
      throw error
    },
  )
  const site = new SiteStore({ path: companionPath(file, 'site'), ...of, now: sources.now, room })
  const companions = { accounts: opened.accounts.store.file, site: site.file }
  logDoubts(companions, log)
  return { ...opened, site, companions }
}
