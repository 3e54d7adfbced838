import { isatty } from 'node:tty'
import type { Logger } from 'pino'
import type { ConfigSources, OpenedConfig } from '../server/config/open-config.js'
import { reloadConfig } from '../server/config/reload.js'
import type { RunningServer } from '../server/server.js'

type Listener = (isTerminalGone: boolean) => void

/**
 * Receives SIGHUP from the start of the process, which it would end otherwise. It means two things: the
 * terminal of the process was closed, or a supervisor asks for a reload.
 */
export class HangUp {
  readonly #hadTerminal = isatty(process.stderr.fd)
  #listener: Listener | undefined
  #isAsked = false

  constructor() {
    process.on('SIGHUP', () => this.#receive())
  }

  /** Calls the listener for each signal; at once for those that came before. */
  follow(listener: Listener): void {
    this.#listener = listener
    if (this.#isAsked) this.#receive()
  }

  #receive(): void {
    this.#isAsked = true
    this.#listener?.(this.#hadTerminal && !isatty(process.stderr.fd))
  }
}

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
