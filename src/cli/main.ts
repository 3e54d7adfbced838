import { backup } from './backup.js'
import { event } from './event.js'
import { help } from './help.js'
import { start } from './start.js'
import { verify } from './verify.js'
import { version } from './version.js'

const VERBS: Readonly<Record<string, (argv: readonly string[]) => Promise<void> | void>> = {
  start,
  event,
  backup,
  verify,
  version,
  help,
}
const ALIASES: Readonly<Record<string, string>> = {
  '--help': 'help',
  '-h': 'help',
  '--version': 'version',
  '-v': 'version',
}
const WRONG_USE = 2

/**
 * `raay <verb> …`: finds the verb and runs it. Exit codes: 0 done, 1 cannot, 2 wrong use, 70 stopped by a
 * fault.
 */
export async function main(argv: readonly string[]): Promise<void> {
  const [word = 'help', ...rest] = argv
  const verb = VERBS[ALIASES[word] ?? word]
  if (verb === undefined) {
    process.stderr.write(`raay: there is no "${word}"; raay help lists what there is\n`)
    process.exitCode = WRONG_USE
    return
  }
  if (rest.includes('--help') || rest.includes('-h')) return help([word])
  await verb(rest)
}
