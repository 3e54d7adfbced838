import { join, resolve } from 'node:path'
import type { Config } from '../../server/config/config.js'
import { configOf } from '../../server/config/config.js'
import { configSources, openConfig } from '../../server/config/open-config.js'
import { certificateCheck } from '../../server/doctor/certificate-check.js'
import type { Check } from '../../server/doctor/check.js'
import { fileSystemCheck, spaceCheck } from '../../server/doctor/disk-checks.js'
import { clockCheck, openFilesCheck } from '../../server/doctor/machine-checks.js'
import { modeCheck } from '../../server/doctor/mode-check.js'
import { openFilesMax } from '../../server/open-files.js'
import { sizeOfFile } from '../../store/files/file-bytes.js'
import { TABLES_FILE } from '../../store/files/journal-path.js'
import { directoryCheck, standingDirectory } from '../doctor/directory-checks.js'
import { driverChecks, nodeCheck } from '../doctor/node-checks.js'
import { portCheck } from '../doctor/port-check.js'
import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { jsonOption, option } from '../options.js'
import { packageVersion } from '../package-version.js'
import { json, printing } from '../run-verb.js'
import { addSettings, settingsGiven } from '../settings-options.js'
import { paint } from '../terminal/paint.js'
import { printable } from '../terminal/printable.js'

const NOT_READY = 1
const NAME_WIDTH = 10

const WORDS = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const
const COLORS = { ok: 'green', warn: 'yellow', fail: 'red' } as const

/** `raay doctor`: checks whether an exchange with these settings would start here and keep its promises. */
export function doctorCommand(): Command {
  const made = command('doctor', 'check whether this machine is ready for an exchange', [
    'raay doctor',
    'raay doctor --data /srv/raay --port 8080',
  ])
  note(
    made,
    `Checks Node, the database driver and its SQLite, the clock, the open-file limit, the data directory, its
disk, when that will be full, its lock and its files, memory, backups, the certificate of --tls-cert, and
the port. It commits a hundred times to a temporary file beside the data, to see that each commit reaches the
disk, and how long that takes. It takes the options, variables and file of raay start.

With --online it also asks the exchange at --public-url, as a browser would, and looks at backups in S3.

Exit codes: 0 ready, perhaps with warnings, 1 not ready, 2 wrong use.`,
  )
  return addSettings(made)
    .addOption(option('--online', 'also ask the exchange at --public-url, and backups in S3'))
    .addOption(jsonOption())
    .action(
      printing(async (options: { readonly json?: true; readonly online?: true }) => {
        const { values } = await openConfig(configSources(settingsGiven(made), process.env))
        const checks = await examine(configOf(values), options.online === true)
        const isReady = checks.every(({ result }) => result !== 'fail')
        if (!isReady) process.exitCode = NOT_READY
        return options.json ? json({ ok: isReady, checks }) : textOf(checks)
      }),
    )
}

async function examine(config: Config, isOnline: boolean): Promise<Check[]> {
  const { data, host, port, network } = config
  const path = resolve(data)
  const now = Date.now()
  const node = nodeCheck(now)
  // Loading a driver built for another Node would crash this process.
  const driver = node.result === 'fail' ? [] : await driverChecks()
  const hasDriver = driver.every(({ result }) => result === 'ok') && driver.length > 0
  const directory = directoryCheck(path)
  return [
    node,
    ...driver,
    clockCheck(now),
    openFilesCheck(openFilesMax()),
    directory,
    ...(directory.result === 'fail' ? [] : await dataChecks(path, hasDriver, now)),
    ...(hasDriver && directory.result === 'ok' ? await backupChecks(config, path, isOnline, now) : []),
    ...(network.tls === undefined ? [] : [certificateCheck(network.tls, now)]),
    await portCheck(host, port, hasDriver ? await runningUrl(path) : undefined),
    ...(isOnline ? await (await import('../../server/doctor/online-checks.js')).onlineChecks(config) : []),
  ]
}

async function dataChecks(path: string, hasDriver: boolean, now: number): Promise<Check[]> {
  const standing = standingDirectory(path)
  const modes = standing === path ? [modeCheck(path)] : []
  const disk = [...modes, spaceCheck(standing), fileSystemCheck(standing)]
  if (!hasDriver) return disk
  const { commitChecks, lockCheck } = await import('../doctor/data-checks.js')
  const { fileChecks } = await import('../doctor/file-checks.js')
  const { companionChecks } = await import('../doctor/companion-checks.js')
  const files = [...fileChecks(path, now), ...(isUsed(path) ? companionChecks(path) : [])]
  const isReadable = isUsed(path) && files.every(({ name, result }) => name !== 'file' || result === 'ok')
  const uses = isReadable ? (await import('../../server/doctor/use-checks.js')).useChecks(path, now) : []
  return [...disk, lockCheck(path), ...files, ...uses, ...commitChecks(standing)]
}

async function runningUrl(path: string): Promise<string | undefined> {
  const { runningAddress } = await import('../../store/files/running-address.js')
  return runningAddress(path)?.url
}

async function backupChecks(config: Config, path: string, isOnline: boolean, now: number): Promise<Check[]> {
  const { backups } = config
  if (backups.s3 !== undefined && !isOnline) return []
  const { listBackups } = await import('../../backup/backup-list.js')
  const { openStore } = await import('../../backup/stores/open-store.js')
  const { backupCheck, backupsUnreadable } = await import('../../server/doctor/backup-check.js')
  try {
    const store = await openStore(backups, { folder: join(path, 'backups'), now: Date.now })
    return [backupCheck(await listBackups(store), isUsed(path), now)]
  } catch (error) {
    return [backupsUnreadable(error)]
  }
}

const isUsed = (path: string) => sizeOfFile(join(path, TABLES_FILE)) > 0

function textOf(checks: readonly Check[]): string {
  const lines = checks.flatMap(({ name, result, found, advice }) => [
    `  ${paint(COLORS[result], WORDS[result])}  ${name.padEnd(NAME_WIDTH)} ${printable(found)}`,
    ...(advice === undefined ? [] : [`        ${' '.repeat(NAME_WIDTH)} → ${printable(advice)}`]),
  ])
  return `Raay ${packageVersion()}\n\n${lines.join('\n')}\n\n${verdict(checks)}\n`
}

function verdict(checks: readonly Check[]): string {
  const count = (wanted: Check['result']) => checks.filter(({ result }) => result === wanted).length
  const [failed, warned] = [count('fail'), count('warn')]
  if (failed > 0) return paint('red', `Not ready for an exchange: ${failed} to fix`)
  if (warned > 0) return paint('yellow', `Ready for an exchange, with ${warned} to look at`)
  return paint('green', 'Ready for an exchange')
}
