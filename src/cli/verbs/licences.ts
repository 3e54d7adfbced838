import { existsSync, readFileSync } from 'node:fs'
import { Failure } from '../exit-errors.js'
import type { Command } from '../make-command.js'
import { command } from '../make-command.js'
import { printing } from '../run-verb.js'

/** The build writes this file beside the bundled program. */
const FILE = new URL('./licences.txt', import.meta.url)

/** `raay licences`: the licences of everything that is inside the program. */
export function licencesCommand(): Command {
  return command('licences', 'print the licences of everything inside', ['raay licences | less']).action(
    printing(async () => licences()),
  )
}

function licences(): string {
  if (existsSync(FILE)) return readFileSync(FILE, 'utf8')
  throw new Failure('this is a checkout: see LICENSE, and that of each package in node_modules')
}
