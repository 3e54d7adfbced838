import { SETTINGS } from '../../server/config.js'
import { HELP_TEXTS } from '../help-texts.js'

const OVERVIEW = `Raay: an exchange for opinion trading in one process and one file.

  raay start             run the exchange
  raay demo              the same with made-up events and bots, in a directory of its own
  raay event <action>    create, list, show, halt, resume, close, resolve and void events
  raay order <action>    place, list, show and cancel orders
  raay user <action>     list users, look at one, credit and debit play money
  raay book <code>       watch an event's book in the terminal
  raay bench             how many orders a second this machine takes, and how long each takes
  raay doctor            whether an exchange would run well on this machine
  raay backup            copy the data file of a running exchange
  raay verify            check a data file against its journal
  raay version [--json]  print the versions
  raay help [verb]       this text, or a verb's flags

Examples
  raay start                                         http://127.0.0.1:3000, data in ./data
  raay start --port 8080 --data /srv/raay            elsewhere
  raay event create "Will it rain?" --end +2d        prints its code
  raay order place 1000001 buy 10 @ 6.5 --user asha  says what became of it
  raay book 1000001                                  Ctrl+C ends it
  raay event close 1000001                           trading is over
  raay event resolve 1000001 yes                     who was right is paid
  raay verify --data /srv/raay                       also while it runs
`

const START_ENDING = `Exit codes: 0 stopped by a signal, 1 cannot start, 2 wrong flag, 70 a fault.

Examples
  raay start
  raay start --port 8080 --data /srv/raay --starting-balance 5000
  RAAY_ADMIN_TOKEN=$(openssl rand -hex 32) raay start --host 0.0.0.0
`

const BACKUP = `raay backup: has a running exchange copy its data file to backups/ beside it; trading goes
on meanwhile.

  --url <address>      the exchange (RAAY_URL, http://127.0.0.1:3000)
  --json               print file, bytes and the last batch in it as JSON

It sends RAAY_ADMIN_TOKEN where that is set. Exit codes: 0 made, 1 not made, 2 wrong use.

Examples
  raay backup
  raay verify --data data/backups/raay-20261121T180000.000Z.db
`

const VERIFY = `raay verify: plays the whole journal into an empty state and compares every row of every table
with it. Reads only, at one moment; a server may go on with the same file. Exit codes: 0 in order, 1 not,
2 wrong flag.

${flagLine('data', SETTINGS.data)}${line('json', '', 'one line of JSON instead of text')}
Examples
  raay verify --data /srv/raay
  raay verify --data /srv/raay --json
`

const VERSION = `raay version: the versions of Raay and of the Node that runs it; --json for programs.

Examples
  raay version
  raay version --json
`

const DOCTOR = `raay doctor: whether an exchange with these flags would start here, and keep what it
promises. It looks at Node, the database's driver, the clock, open files, the data directory, its disk,
its lock, its file, and the port. It commits a hundred times to a file of its own beside the data, to see
that each commit waits for the disk, and how long. It takes the flags and variables of raay start, and
--json.

Exit codes: 0 fit, perhaps with warnings, 1 not fit, 2 wrong flag.

Examples
  raay doctor
  raay doctor --data /srv/raay --port 8080
`

const DEMO = `raay demo: raay start --demo, an exchange that shows itself. Six events with some days of
history, and bots that go on trading them; their names begin with bot-. Prices, traders and outcomes are
made up.

It lives in data/demo, or in demo below RAAY_DATA, or where --data says; never in the directory of another
exchange, and no other exchange starts in its directory. A stop and a start go on where it was.

${demoFlags()}
Every flag of raay start may be added. Exit codes: those of raay start.

Examples
  raay demo                           http://127.0.0.1:3000
  raay demo --port 8080 --demo-rate 20
  raay demo --demo-fresh              delete what was traded, begin anew
  raay demo --demo-remove             delete it and be done
  raay verify --data data/demo        its journal is a true one
`

const HELP = new Map<string | undefined, () => string>([
  ['start', startHelp],
  ['demo', () => DEMO],
  ['backup', () => BACKUP],
  ['verify', () => VERIFY],
  ['doctor', () => DOCTOR],
  ['version', () => VERSION],
])

/** `raay help [verb]` */
export function help([verb]: readonly string[]): void {
  process.stdout.write(HELP.get(verb)?.() ?? textOf(verb) ?? OVERVIEW)
}

function textOf(verb = ''): string | undefined {
  return Object.hasOwn(HELP_TEXTS, verb) ? HELP_TEXTS[verb] : undefined
}

function startHelp(): string {
  const flags = Object.entries(SETTINGS).map(([name, setting]) => flagLine(name, setting))
  const head = 'raay start: runs the exchange until SIGTERM or Ctrl+C. Flags win over variables.'
  return `${head}\n\n${flags.join('')}\n${START_ENDING}`
}

function demoFlags(): string {
  const flags = Object.entries(SETTINGS).filter(([name]) => name.startsWith('demo-'))
  return flags.map(([name, setting]) => flagLine(name, setting)).join('')
}

function flagLine(
  name: string,
  { variable, fallback, help: text }: (typeof SETTINGS)[keyof typeof SETTINGS],
): string {
  const ending = fallback === '' ? '' : ` (${fallback})`
  return line(name, variable, text + ending)
}

function line(name: string, variable: string, text: string): string {
  return `  ${`--${name}`.padEnd(20)} ${variable.padEnd(22)} ${text}\n`
}
