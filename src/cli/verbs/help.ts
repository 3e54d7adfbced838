import type { Command } from '../make-command.js'
import { command } from '../make-command.js'

/** `raay help [verb] [action]`: prints the help of the command that the words name. */
export function helpCommand(): Command {
  const made: Command = command('help', 'show the help of a verb or an action', [
    'raay help event',
    'raay help event resolve',
  ])
  return made
    .argument('[verb]')
    .argument('[action]')
    .action(async (...words: readonly unknown[]) => {
      const names = words.filter(word => typeof word === 'string')
      let found = made.parent ?? made
      for (const name of names) {
        const next = found.commands.find(known => known.name() === name)
        // Parsing the wrong word alone makes the command refuse it and suggest the nearest one.
        if (next === undefined) await found.parseAsync([name], { from: 'user' })
        else found = next
      }
      found.help()
    })
}
