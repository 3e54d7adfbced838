import { SETTINGS } from '../config.js'

const OVERVIEW = `Raay: an exchange for opinion trading in one process and one file.

  raay start             run the exchange
  raay verify            check a data file against its journal
  raay version [--json]  print the versions
  raay help [verb]       this text, or a verb's flags

Examples
  raay start                               http://127.0.0.1:3000, data in ./data
  raay start --port 8080 --data /srv/raay  elsewhere
  raay verify --data /srv/raay             also while it runs
`

const VERIFY = `raay verify: plays the whole journal into an empty state and compares every row of every table
with it. Reads only, at one moment; a server may go on with the same file. Exit codes: 0 in order, 1 not,
2 wrong flag.

${flagLine('data', SETTINGS.data)}${line('json', '', 'one line of JSON instead of text')}`

const HELP: Readonly<Record<string, () => string>> = { start: startHelp, verify: () => VERIFY }

/** `raay help [verb]` */
export function help([verb]: readonly string[]): void {
  process.stdout.write(HELP[verb ?? '']?.() ?? OVERVIEW)
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
