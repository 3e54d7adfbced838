import { secretBytes } from '../../access/secrets.js'
import type { NatsDeployment, NatsHost, NatsTls } from '../init/nats-files.js'
import { newNatsKey } from '../init/nats-keys.js'
import { natsAdvice, natsConfig, natsUnit, serverName } from '../init/nats-files.js'
import { deploymentOptions } from '../init/deployment-options.js'
import { writeNew } from '../init/write-new.js'
import { UsageError } from '../exit-errors.js'
import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { option } from '../options.js'
import { packageVersion } from '../package-version.js'
import { printing } from '../run-verb.js'
import { printable } from '../terminal/printable.js'

interface NatsOptions {
  readonly servers?: readonly NatsHost[]
  readonly out?: string
  readonly user: string
  readonly store: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly tlsCa?: string
}

const { path, user, natsHosts } = deploymentOptions
const [PRIVATE, PUBLIC] = [0o600, 0o644]

/** `raay init nats`: writes the files of three nats-servers, and the keys of their users. */
export function initNatsCommand(): Command {
  const made = command('nats', 'three nats-servers for a log of the exchange (a directory)', [
    'raay init nats --servers n1.example.org,n2.example.org,n3.example.org --out nats',
  ])
  note(
    made,
    `Writes a configuration for each server, a service of systemd for all, and two keys for the exchange.
The configurations and the keys are secret. See the guide Replication.`,
  )
  return made
    .addOption(option('--servers <hosts>', 'three machines, as host or host:port').argParser(natsHosts))
    .addOption(option('--out <dir>', 'write the files into this directory; never overwrites one'))
    .addOption(option('--user <name>', 'user that runs the servers', 'nats').argParser(user))
    .addOption(
      option('--store <path>', 'directory of the stream', '/var/lib/raay-nats').argParser(path('--store')),
    )
    .addOption(option('--tls-cert <file>', 'certificate on each machine').argParser(path('--tls-cert')))
    .addOption(option('--tls-key <file>', 'its private key').argParser(path('--tls-key')))
    .addOption(option('--tls-ca <file>', 'the authority that signed all of them').argParser(path('--tls-ca')))
    .action(printing(writeFiles))
}

async function writeFiles(options: NatsOptions): Promise<string> {
  const { servers: hosts, out, user, store } = options
  if (hosts === undefined || out === undefined) {
    throw new UsageError('usage: raay init nats --servers <host>,<host>,<host> --out <dir>')
  }
  const [exchange, system] = [newNatsKey(), newNatsKey()]
  const keys = { exchange: exchange.publicKey, system: system.publicKey }
  const routePassword = secretBytes(24).toString('hex')
  const own = { hosts, user, store, keys, routePassword, tls: tlsOf(options) }
  const deployment: NatsDeployment = { version: packageVersion(), ...own }
  const files: [name: string, text: string, mode: number][] = [
    ['raay.nk', exchange.seed, PRIVATE],
    ['raay-system.nk', system.seed, PRIVATE],
    ['raay-nats.service', natsUnit(deployment), PUBLIC],
  ]
  for (const index of hosts.keys()) {
    files.push([`${serverName(index)}/nats-server.conf`, natsConfig(deployment, index), PRIVATE])
  }
  const written = files.map(([name, text, mode]) => printable(writeNew({ directory: out, name, text, mode })))
  return `${written.join('\n')}\n\n${natsAdvice(deployment, printable(out))}`
}

function tlsOf({ tlsCert, tlsKey, tlsCa }: NatsOptions): NatsTls | undefined {
  if (tlsCert !== undefined && tlsKey !== undefined && tlsCa !== undefined) {
    return { cert: tlsCert, key: tlsKey, ca: tlsCa }
  }
  if (tlsCert === undefined && tlsKey === undefined && tlsCa === undefined) return undefined
  throw new UsageError('--tls-cert, --tls-key and --tls-ca belong together')
}
