import type { FoundVersion } from '../../../server/upgrade/found-version.js'
import type { UpgradePlan } from '../../../server/upgrade/upgrade-plan.js'
import { printable } from '../../terminal/printable.js'

const BYTES_PER_MB = 1_000_000

/** Says what a start would do to the files of an exchange. */
export function upgradeText(plan: UpgradePlan): string {
  const { versions, steps, backup, bytes, bytesNeeded, bytesFree, estimatedMs, sequence } = plan
  const lines = versions.map(version => line(version.part, versionText(version)))
  if (plan.refusal !== undefined) lines.push('', `A start refuses: ${printable(plan.refusal)}.`)
  else if (!plan.isNeeded) lines.push('', 'Nothing to upgrade.')
  else {
    lines.push(
      line('size', `${megabytes(bytes)}, ${sequence.toLocaleString('en')} batches`),
      // Bounded by the versions of the schema.
      ...steps.map(({ version, adds }, index) => line(index === 0 ? 'steps' : '', `${version}: ${adds}`)),
      line('backup', backup === undefined ? 'will be made first, and verified' : printable(backup.file)),
      line('room', `${megabytes(bytesNeeded)} at most, ${megabytes(bytesFree)} free`),
      line('time', `about ${Math.max(1, Math.round(estimatedMs / 1000))} s, backup included`),
      '',
      bytesFree < bytesNeeded
        ? 'A start refuses: there is too little room. Free some space, or see --no-upgrade-backup.'
        : 'The next start upgrades the files. Nothing was changed now.',
    )
  }
  return `${lines.join('\n')}\n`
}

const line = (name: string, text: string) => `${name.padEnd(10)}${text}`

function versionText({ file, found, wanted }: FoundVersion): string {
  const path = printable(file)
  if (found === undefined) return `none yet (${path})`
  return found === wanted ? `version ${found} (${path})` : `version ${found}, wanted ${wanted} (${path})`
}

const megabytes = (bytes: number) => `${(bytes / BYTES_PER_MB).toFixed(1)} MB`
