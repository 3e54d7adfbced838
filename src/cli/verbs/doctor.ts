import { resolve } from 'node:path'
import { readConfig } from '../../server/config.js'
import { openFilesMax } from '../../server/open-files.js'
import type { Check } from '../doctor/check.js'
import { directoryCheck, standingDirectory } from '../doctor/directory-checks.js'
import { fileSystemCheck, spaceCheck } from '../doctor/disk-checks.js'
import { clockCheck, openFilesCheck } from '../doctor/machine-checks.js'
import { modeCheck } from '../doctor/mode-check.js'
import { driverCheck, nodeCheck } from '../doctor/node-checks.js'
import { portCheck } from '../doctor/port-check.js'
import { answering, json } from '../run-verb.js'
import { paint } from '../terminal/paint.js'
import { printable } from '../terminal/printable.js'
import { packageVersion } from './version.js'

const CANNOT = 1
const NAME_WIDTH = 10

const WORDS = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const
const COLORS = { ok: 'green', warn: 'yellow', fail: 'red' } as const

/** `raay doctor`: whether an exchange with these flags would start here, and keep what it promises. */
export function doctor(argv: readonly string[]): Promise<void> {
  return answering(async () => {
    const isJson = argv.includes('--json')
    const { data, host, port } = readConfig(
      argv.filter(word => word !== '--json'),
      process.env,
      'doctor',
    )
    const checks = await examine(resolve(data), host, port)
    const isFit = checks.every(({ result }) => result !== 'fail')
    if (!isFit) process.exitCode = CANNOT
    return isJson ? json({ ok: isFit, checks }) : textOf(checks)
  })
}

async function examine(path: string, host: string, port: number): Promise<Check[]> {
  const now = Date.now()
  const node = nodeCheck(now)
  // A driver made for another Node would end this process instead of being told.
  const driver = node.result === 'fail' ? [] : [await driverCheck()]
  const hasDriver = driver.some(({ result }) => result === 'ok')
  const directory = directoryCheck(path)
  return [
    node,
    ...driver,
    clockCheck(now),
    openFilesCheck(openFilesMax()),
    directory,
    ...(directory.result === 'fail' ? [] : await dataChecks(path, hasDriver, now)),
    await portCheck(host, port),
  ]
}

async function dataChecks(path: string, hasDriver: boolean, now: number): Promise<Check[]> {
  const standing = standingDirectory(path)
  const modes = standing === path ? [modeCheck(path)] : []
  const disk = [...modes, spaceCheck(standing), fileSystemCheck(standing)]
  if (!hasDriver) return disk
  const { commitChecks, fileCheck, lockCheck } = await import('../doctor/data-checks.js')
  return [...disk, lockCheck(path), ...fileCheck(path, now), ...commitChecks(standing)]
}

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
  if (failed > 0) return paint('red', `Not fit for an exchange yet: ${failed} to mend`)
  if (warned > 0) return paint('yellow', `Fit for an exchange, with ${warned} to look at`)
  return paint('green', 'Fit for an exchange')
}
