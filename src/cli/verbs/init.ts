import { realpathSync } from 'node:fs'
import { UsageError } from '../exit-errors.js'
import type { CertificatePaths, Deployment } from '../init/deployment.js'
import type { FileKind } from '../init/deployment-files.js'
import { DEPLOYMENT_FILES } from '../init/deployment-files.js'
import { deploymentOptions } from '../init/deployment-options.js'
import { writeNew } from '../init/write-new.js'
import { wholeNumber } from '../input/number.js'
import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { option } from '../options.js'
import { packageVersion } from '../package-version.js'
import { printing } from '../run-verb.js'
import { printable } from '../terminal/printable.js'
import { initNatsCommand } from './init-nats.js'

interface InitOptions {
  readonly data: string
  readonly port: number
  readonly publicUrl: URL
  readonly user: string
  readonly program: string
  readonly image?: string
  readonly standby: readonly string[]
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly out?: string
}

const { image, path, program, publicUrl, standbys, user } = deploymentOptions
const PORT_MAX = 65_535
/** Nothing secret is in these files. */
const MODE = 0o644

/** `raay init <what>`: prints or writes a file with which an exchange is deployed or watched. */
export function initCommand(): Command {
  const made = command('init', 'print a service, proxy, container, alert or dashboard file', [
    'raay init systemd > /etc/systemd/system/raay.service',
    'raay init nginx --public-url https://raay.example.org',
    'raay init alerts --public-url https://raay.example.org --out /etc/prometheus',
  ])
  note(
    made,
    `The files are for an exchange with accounts behind a proxy. Read them before you use them: they say what
must fit your machine. See the guide Deploying.

Exit codes: 0 done, 1 a file exists or cannot be written, 2 wrong use.`,
  )
  for (const kind of Object.keys(DEPLOYMENT_FILES) as FileKind[]) made.addCommand(kindCommand(kind))
  return made.addCommand(initNatsCommand())
}

function kindCommand(kind: FileKind): Command {
  const { name, what } = DEPLOYMENT_FILES[kind]
  return addOptions(command(kind, `${what} (${name})`)).action(
    printing(async (options: InitOptions) => {
      const { DEPLOYMENT_TEXTS } = await import('../init/deployment-texts.js')
      const made = DEPLOYMENT_TEXTS[kind](deploymentOf(options))
      if (options.out === undefined) return made
      return `${printable(writeNew({ directory: options.out, name, text: made, mode: MODE }))}\n`
    }),
  )
}

function addOptions(made: Command): Command {
  const file = '/etc/letsencrypt/live/<host>/'
  return made
    .addOption(option('--data <path>', 'data directory', '/var/lib/raay').argParser(path('--data')))
    .addOption(
      option('--port <n>', 'port of the exchange, behind the proxy')
        .argParser(wholeNumber('--port', 1, PORT_MAX))
        .default(3000),
    )
    .addOption(
      option('--public-url <url>', 'address under which users reach the exchange')
        .argParser(publicUrl)
        .default(new URL('https://raay.example.org'), 'https://raay.example.org'),
    )
    .addOption(option('--user <name>', 'user that runs the exchange', 'raay').argParser(user))
    .addOption(option('--program <path>', 'path of raay (default: this one)').argParser(program))
    .addOption(option('--image <name>', 'name of the image (default: raay:<version>)').argParser(image))
    .addOption(
      option('--tls-cert <file>', `certificate of the proxy (default: below ${file})`).argParser(
        path('--tls-cert'),
      ),
    )
    .addOption(option('--tls-key <file>', 'its private key').argParser(path('--tls-key')))
    .addOption(
      option('--standby <urls>', 'standbys to which a proxy sends reads, separated by commas')
        .argParser(standbys)
        .default([], 'none'),
    )
    .addOption(option('--out <dir>', 'write the file into this directory; never overwrites one'))
}

function deploymentOf(options: InitOptions): Deployment {
  const version = packageVersion()
  return {
    ...options,
    version,
    standbys: options.standby,
    program: options.program ?? program(ownProgram()),
    image: options.image ?? `raay:${version}`,
    certificate: certificateOf(options),
  }
}

function certificateOf({ tlsCert, tlsKey }: InitOptions): CertificatePaths | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert !== undefined && tlsKey !== undefined) return { certFile: tlsCert, keyFile: tlsKey }
  throw new UsageError('--tls-cert and --tls-key belong together')
}

/** Returns the command that runs this program again: an executable, or Node and a script. */
function ownProgram(): string {
  const [executable = '', script = ''] = process.argv
  const isScript = script !== '' && realpathSync(script) !== realpathSync(executable)
  return isScript ? `${executable} ${realpathSync(script)}` : executable
}
