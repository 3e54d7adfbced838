import { resolve } from 'node:path'
import { isS3Address } from '../../backup/stores/s3/s3-place.js'
import { isNatsUrl } from '../../replication/jetstream/nats-place.js'
import { UsageError } from '../exit-errors.js'
import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { option } from '../options.js'
import { addSettings, settingsGiven } from '../settings-options.js'

/** `raay standby`: follows an exchange on another machine, and takes over from it. */
export function standbyCommand(): Command {
  const made = command('standby', 'follow an exchange elsewhere, serve its reads, and take over from it', [
    'raay standby --from nats://n1,n2,n3/orders --data /srv/raay',
    'raay standby --from s3://bucket/replica --data /srv/raay --identity raay-backup.key',
  ])
  note(
    made,
    `Follows the log that another exchange replicates to, and has the same options as that one. An empty data
directory is filled from the log, or from the newest backup of a replica. A log on NATS may no longer have
its first batches: then restore the newest backup first. Reads are answered, writes get 503.

From NATS it leads as soon as the lease of the other exchange lapses, or raay promote asks for it. From a
directory or a bucket it leads only after raay promote: a store does not say who is alive.

Exit codes: 0 stopped by a signal, 1 cannot start, 2 wrong use, 70 stopped by a fault: start it again.`,
  )
  return addSettings(made)
    .addOption(option('--from <place>', 'the log to follow: what the other exchange has as --replicate-to'))
    .addOption(option('--identity <file>', 'your secret key, if the replica is encrypted'))
    .action(() => runStandby(made))
}

interface StandbyFlags {
  readonly from?: string
  readonly identity?: string
}

async function runStandby(made: Command): Promise<void> {
  const { from, identity } = made.opts<StandbyFlags>()
  const given = settingsGiven(made)
  const place = from ?? given['replicate-to'] ?? process.env.RAAY_REPLICATE_TO
  if (place === undefined) throw new UsageError('usage: raay standby --from <place>')
  const to = given['replicate-to']
  if (to !== undefined && to !== place) {
    throw new UsageError('--from and --replicate-to differ: a standby replicates to the log that it follows')
  }
  const isPath = !isNatsUrl(place) && !isS3Address(place)
  const settings = { ...given, 'replicate-to': isPath ? resolve(place) : place }
  const { runExchange } = await import('../run-exchange.js')
  await runExchange(settings, { identities: await identitiesIn(identity) })
}

async function identitiesIn(file: string | undefined) {
  if (file === undefined) return []
  const { readIdentityFile } = await import('../../backup/encryption/identity-file.js')
  try {
    return await readIdentityFile(file)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
