import { resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import pino from 'pino'
import { ReplicaError } from '../replication/replication-error.js'
import { natsPlace } from '../replication/jetstream/nats-place.js'
import type { Config } from '../server/config/config.js'
import { configOf } from '../server/config/config.js'
import type { ConfigSources, OpenedConfig } from '../server/config/open-config.js'
import { configSources, openConfig } from '../server/config/open-config.js'
import { ConfigError } from '../server/config/setting-values.js'
import type { SettingTexts } from '../server/config/settings.js'
import { LogOutput, withoutBlocking } from '../server/log-output.js'
import type { RunningServer, ServerOptions } from '../server/server.js'
import type { StandbyOptions } from '../server/standby/open-standby.js'
import { stopAdvice } from '../server/stop-advice.js'
import { DataDirectoryError } from '../store/files/data-directory.js'
import { withAdvice } from '../store/files/write-advice.js'
import { nativeFault, nativeMismatch } from './doctor/native-guard.js'
import { HangUp, reloading } from './hang-up.js'
import { packageVersion } from './package-version.js'

const CANNOT = 1
const WRONG_USE = 2
/** EX_SOFTWARE of sysexits: a fault that only a restart, and so a recovery, can clear. */
const STOPPED_BY_FAULT = 70

/**
 * Runs an exchange with these settings, and with variables and defaults for all others.
 *
 * @param standby what it needs to follow another one; without it, it leads
 */
export async function runExchange(settings: SettingTexts, standby?: StandbyOptions): Promise<void> {
  const output = new LogOutput(withoutBlocking(process.stderr.fd))
  process.on('exit', () => output.finish())
  const log = pino({ name: 'raay' }, output)
  output.onRoom = dropped => log.warn({ dropped }, 'lines of the log were dropped: nobody was reading them')
  const fail = (error: Error) => {
    log.fatal({ err: error }, stopAdvice(error))
    process.exit(STOPPED_BY_FAULT)
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', reason =>
    fail(reason instanceof Error ? reason : new Error(String(reason))),
  )

  // Without a listener the signal would end the process while it starts.
  const hangUp = new HangUp()
  // Nothing is acknowledged before the start is complete, so there is nothing to finish. A signal that is
  // caught while its listener is exchanged for another would be lost: there is one for as long as it runs.
  let stop: (signal: string) => unknown = () => process.exit(0)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal))
  const asked = (by: string) => stop(`makes way for ${by}`)
  const started = await open(settings, { log, fail, asked, ...(standby && { standby }) })
  if (started === undefined) return
  const { server, sources, opened } = started
  keepHeapSmall()
  // The exchange runs on even if nobody can read these lines.
  process.stdout.removeAllListeners('error').on('error', err => log.warn({ err }, 'stdout cannot be written'))
  process.stdout.write(banner(server, settings['replicate-to']))
  let isStopping = false
  stop = async (signal: string) => {
    if (isStopping) return
    isStopping = true
    log.info(`${signal}: finishing requests in progress`)
    await server.close()
    log.info('stopped')
    if (server.exchange.backups.isAbandoned) endAtOnceBySignal(output)
    process.exit(0)
  }
  const reload = reloading(sources, opened, server, log)
  hangUp.follow(isTerminalGone => (isTerminalGone ? stop('the terminal was closed') : reload()))
}

/**
 * Lets V8 collect garbage once the heap is this much larger than what was alive after the last collection,
 * instead of twice as large: most of it are orders that have ended. Not while starting, when nearly all of it
 * stays alive.
 */
function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=30')
}

/** Ends the process although a thread is in the middle of a copy, for which an exit would wait. */
function endAtOnceBySignal(output: LogOutput): void {
  output.finish()
  process.removeAllListeners('SIGTERM')
  process.kill(process.pid, 'SIGTERM')
}

interface Started {
  readonly server: RunningServer
  readonly sources: ConfigSources
  readonly opened: OpenedConfig
}

async function open(
  settings: SettingTexts,
  given: Pick<ServerOptions, 'log' | 'fail' | 'asked' | 'standby'>,
): Promise<Started | undefined> {
  const { stderr } = process
  try {
    const sources = configSources(settings, process.env)
    const opened = await openConfig(sources)
    const config = configOf(opened.values)
    const mismatch = nativeMismatch()
    if (mismatch !== undefined) throw new Error(mismatch)
    if (config.demo?.isRemoved) {
      await removeDemoOf(config.data)
      return undefined
    }
    if (given.standby !== undefined) assertFollows(config)
    const options = { config, version: packageVersion(), ...given }
    if (config.demo !== undefined) {
      const { startDemoServer } = await import('../server/demo-server.js')
      const progress = new HistoryProgress(process.stderr, process.stderr.isTTY === true)
      const server = await startDemoServer(options, config.demo, share => progress.update(share))
      return { server, sources, opened }
    }
    const { startServer } = await import('../server/server.js')
    return { server: await startServer(options), sources, opened }
  } catch (error) {
    stderr.write(`raay: ${nativeFault(startFault(error))}
`)
    process.exit(exitCodeOf(error))
  }
}

/** Returns the code of a start that failed: that of a fault if the replicated log contradicts the journal. */
function exitCodeOf(error: unknown): number {
  if (error instanceof ReplicaError && error.isFault) return STOPPED_BY_FAULT
  return error instanceof ConfigError ? WRONG_USE : CANNOT
}

/** Deletes the demo in a data directory and says so. Rejects if it is running. */
async function removeDemoOf(data: string): Promise<undefined> {
  // Imported late because it loads the database's native binding.
  const { removeDemo } = await import('../store/files/demo-files.js')
  const isRemoved = removeDemo(data)
  const path = resolve(data)
  process.stdout.write(isRemoved ? `raay: deleted the demo in ${path}\n` : `raay: no demo in ${path}\n`)
}

/** Returns what to print of an error; those of the data directory say already what to do. */
function startFault(error: unknown): string {
  const hasAdvice = [DataDirectoryError, ConfigError, ReplicaError].some(kind => error instanceof kind)
  return hasAdvice ? (error as Error).message : withAdvice(error)
}

/** Throws ConfigError unless the settings name a log that can be followed. */
function assertFollows({ replication, replica, demo }: Config): void {
  if (demo !== undefined) throw new ConfigError('a demo is no standby')
  if (replication === undefined && replica === undefined) {
    throw new ConfigError(
      'name the log to follow: --from nats://host1,host2,host3/name, a directory, or s3://…',
    )
  }
  if (replication !== undefined && natsPlace(replication.to).stream === undefined) {
    throw new ConfigError(`--from is ${replication.to}: name its stream, as in ${replication.to}/name`)
  }
}

/** Formats the lines printed once the exchange is ready. */
function banner(server: RunningServer, from: string | undefined): string {
  if (!server.exchange.leads) {
    return `Raay ${packageVersion()} is a standby on ${server.url} and follows ${from}\n`
  }
  const { url, file, exchange, isDemo, adminLink } = server
  const events = exchange.directory.length
  // The link gives an operator's rights: print it at a terminal only, never into a log.
  const link = process.stdout.isTTY ? `\n  Operator   ${adminLink()} (works once, for 15 minutes)` : ''
  const demo = isDemo ? demoLines(exchange, url) : ''
  return `Raay ${packageVersion()} is ready on ${url}

  Events     ${url}/events
  WebSocket  ${url.replace('http', 'ws')}/ws
  Health     ${url}/healthz
  Data       ${file} (${events} ${events === 1 ? 'event' : 'events'})${demo}${link}
  Stop       Ctrl+C or SIGTERM
`
}

function demoLines(exchange: RunningServer['exchange'], url: string): string {
  const market = [...exchange.directory.live()].find(({ progress }) => progress.status === 'open')
  // npm says by which of its commands it runs this.
  const name = process.env.npm_command === 'exec' ? 'npx raay' : 'raay'
  return `
  Demo       simulated markets and prices; users named bot-… are bots
  Watch      ${url} in a browser, or in another terminal: ${name} book ${market?.terms.code} --url ${url}`
}

const WORDS = "making the demo's history"

/** Shows the progress of making a demo's history on one line; without a terminal, one line at its start. */
class HistoryProgress {
  readonly #out: { write(text: string): unknown }
  readonly #isTerminal: boolean
  #percent: number | undefined

  constructor(out: { write(text: string): unknown }, isTerminal: boolean) {
    this.#out = out
    this.#isTerminal = isTerminal
  }

  /** @param share from 0 to 1; 1 ends the line */
  update(share: number): void {
    const percent = Math.floor(share * 100)
    if (percent === this.#percent) return
    const isFirst = this.#percent === undefined
    this.#percent = percent
    if (this.#isTerminal) this.#out.write(`\r${WORDS}: ${percent} %${percent === 100 ? '\n' : ''}`)
    else if (isFirst) this.#out.write(`raay: ${WORDS}\n`)
  }
}
