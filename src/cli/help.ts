import { SETTINGS } from '../config.js'

const OVERVIEW = `Raay: an exchange for opinion trading in one process and one file.

  raay start             run the exchange
  raay event <action>    look at events; halt, resume, close, resolve and void them
  raay backup            copy the data file of a running exchange
  raay verify            check a data file against its journal
  raay version [--json]  print the versions
  raay help [verb]       this text, or a verb's flags

Examples
  raay start                               http://127.0.0.1:3000, data in ./data
  raay start --port 8080 --data /srv/raay  elsewhere
  raay event list                          the events of the exchange that runs here
  raay event resolve 1000001 yes           tell an outcome; who was right is paid
  raay verify --data /srv/raay             also while it runs
`

const EVENT = `raay event: what the operator does with the events of a running exchange.

  raay event list                    all events; --status open for those of one status
  raay event show <code>             one event
  raay event halt <code>             take no orders for now; those in the book stay
  raay event resume <code>           take orders again
  raay event close <code>            trading is over; what rests in the book is cancelled
  raay event resolve <code> yes|no   tell the outcome of a closed event; its contracts are paid
  raay event void <code>             unwind every trade of an event that is not resolved

  --url <address>      the exchange (RAAY_URL, http://127.0.0.1:3000)
  --json               print events as JSON
  --source-url <url>   with resolve and void: where the outcome can be read
  --note <text>        with resolve and void: what there is to say about it

RAAY_ADMIN_TOKEN is sent where it is set. An exchange without a token listens to its own machine only.
Doing a thing twice is harmless. Exit codes: 0 done, 1 refused or not reached, 2 wrong use.

Examples
  raay event list --status closed
  raay event close 1000001
  raay event resolve 1000001 yes --source-url https://example.org/result --note "Final at 18:00"
  raay event void 1000002 --note "The match was called off"
  RAAY_ADMIN_TOKEN=... raay event halt 1000001 --url https://raay.example.org
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

${flagLine('data', SETTINGS.data)}${line('json', '', 'one line of JSON instead of text')}`

const HELP = new Map<string | undefined, () => string>([
  ['start', startHelp],
  ['event', () => EVENT],
  ['backup', () => BACKUP],
  ['verify', () => VERIFY],
])

/** `raay help [verb]` */
export function help([verb]: readonly string[]): void {
  process.stdout.write(HELP.get(verb)?.() ?? OVERVIEW)
}

function startHelp(): string {
  const flags = Object.entries(SETTINGS).map(([name, setting]) => flagLine(name, setting))
  const head = 'raay start: runs the exchange until SIGTERM or Ctrl+C. Flags win over variables.'
  return `${head}\n\n${flags.join('')}`
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
