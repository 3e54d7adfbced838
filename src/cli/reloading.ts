import type { Logger } from 'pino'
import type { ConfigSources, OpenedConfig } from '../server/config/open-config.js'
import { reloadConfig } from '../server/config/reload.js'
import type { RunningServer } from '../server/server.js'

const NOTHING_CHANGED = 'the settings stay as they were'

/** Returns a function that reads the file of settings again, and logs what that changes; it never throws. */
export function reloading(
  sources: ConfigSources,
  opened: OpenedConfig,
  server: Pick<RunningServer, 'reconfigure'>,
  log: Logger,
): () => Promise<void> {
  let inUse = opened
  return async () => {
    try {
      const reloaded = await reloadConfig(sources, inUse)
      if (reloaded === undefined) {
        log.info('SIGHUP: there is no file of settings to reload')
        return
      }
      const { config, changed, waiting } = reloaded
      if (changed.length > 0) server.reconfigure(config)
      inUse = reloaded.opened
      const { file } = inUse
      log.info({ changed }, changed.length === 0 ? `${file}: nothing has changed` : `reloaded ${file}`)
      if (waiting.length > 0)
        log.warn({ waiting }, `${file}: ${waiting.join(', ')}: changed by a restart only`)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      log.error(`cannot reload: ${reason}; ${NOTHING_CHANGED}`)
    }
  }
}
