import { nearestOf } from '../api/did-you-mean.js'
import { printable } from './terminal/printable.js'
import { backup } from './verbs/backup.js'
import { bench } from './verbs/bench.js'
import { book } from './verbs/book.js'
import { demo } from './verbs/demo.js'
import { doctor } from './verbs/doctor.js'
import { event } from './verbs/event.js'
import { help } from './verbs/help.js'
import { order } from './verbs/order.js'
import { start } from './verbs/start.js'
import { user } from './verbs/user.js'
import { verify } from './verbs/verify.js'
import { version } from './verbs/version.js'

const VERBS: Readonly<Record<string, (argv: readonly string[]) => Promise<void> | void>> = {
  start,
  demo,
  event,
  order,
  user,
  book,
  bench,
  doctor,
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
  const name = ALIASES[word] ?? word
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined
  if (verb === undefined) {
    const nearest = nearestOf(word, Object.keys(VERBS))
    const hint = nearest === undefined ? '' : `, but there is "${nearest}"`
    process.stderr.write(`raay: there is no "${printable(word)}"${hint}; raay help lists what there is\n`)
    process.exitCode = WRONG_USE
    return
  }
  if (rest.includes('--help') || rest.includes('-h')) return help([word])
  await verb(rest)
}
