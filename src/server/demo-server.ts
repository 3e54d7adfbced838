import { Demo } from '../demo/demo.js'
import { makeHistory } from '../demo/demo-history.js'
import { systemSources } from '../exchange/sources.js'
import { openDataDirectory } from '../store/files/data-directory.js'
import { DemoFiles } from '../store/files/demo-files.js'
import type { DemoConfig } from './config/config.js'
import type { RunningServer, ServerOptions } from './server.js'
import { startServer } from './server.js'

/** A few days of trading at the usual rate; an unattended demo must not fill the disk. */
const FILE_BYTES_MAX = 4 * 1024 ** 3

/**
 * Opens the server of a demo: generates the history if there is none, and runs the bots.
 *
 * @param progress receives the finished share of the history, from 0 to 1
 */
export async function startDemoServer(
  options: ServerOptions,
  demo: DemoConfig,
  progress: (share: number) => void,
): Promise<RunningServer> {
  const { config, log, fail } = options
  const { now } = systemSources()
  const directory = openDataDirectory(config.data, 'demo')
  const files = new DemoFiles(directory)
  try {
    if (demo.isFresh) files.clear()
    if (!files.exist) {
      const { startingBalance } = config
      const begun = { seed: demo.seed, now: now(), startingBalance, progress }
      await files.make(file => makeHistory({ file, ...begun }))
    }
  } finally {
    directory.release()
  }

  const server = await startServer(options)
  const bots = new Demo({
    exchange: server.exchange,
    seed: demo.seed,
    now,
    isFull: () => files.bytes >= FILE_BYTES_MAX,
    tellFull: () =>
      log.warn('the bots have stopped because the file is full; run with --demo-fresh to start over'),
    fail,
  })
  bots.start(demo.rate)
  return {
    ...server,
    close: async () => {
      await bots.stop()
      await server.close()
    },
  }
}
