import { SETTINGS } from '../config.js'

const OVERVIEW = `Raay: an exchange for opinion trading in one process and one file.

  raay start             run the exchange
  raay version [--json]  print the versions
  raay help [verb]       this text, or a verb's flags

Examples
  raay start                               http://127.0.0.1:3000, data in ./data
  raay start --port 8080 --data /srv/raay  elsewhere
`

/** `raay help [verb]` */
export function help([verb]: readonly string[]): void {
  process.stdout.write(verb === 'start' ? startHelp() : OVERVIEW)
}

function startHelp(): string {
  const flags = Object.entries(SETTINGS).map(([name, { variable, fallback, help: text }]) => {
    const ending = fallback === '' ? '' : ` (${fallback})`
    return `  ${`--${name}`.padEnd(20)} ${variable.padEnd(22)} ${text}${ending}\n`
  })
  const head = 'raay start: runs the exchange until SIGTERM or Ctrl+C. Flags win over variables.'
  return `${head}\n\n${flags.join('')}`
}
