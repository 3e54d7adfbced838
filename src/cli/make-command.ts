import { Command, CommanderError } from 'commander'
import { UsageError } from './exit-errors.js'
import { paint } from './terminal/paint.js'

export type { Command } from 'commander'

const HELP_WIDTH = 110
const MISSING_ACTION = 'commander.help'
const WRONG_ARGUMENTS: readonly string[] = ['commander.missingArgument', 'commander.excessArguments']

/**
 * Makes a command, or an action of one. It refuses unknown options, actions and arguments with a UsageError
 * of one line instead of ending the process.
 *
 * @param description a phrase for the list of commands; the command's own help shows it as a sentence
 * @param examples shown below the options, one line each
 */
export function command(name: string, description: string, examples: readonly string[] = []): Command {
  const made = new Command(name)
  made
    .description(description)
    .helpCommand(false)
    .helpOption('-h, --help', 'show this help')
    .configureHelp({
      styleTitle: text => paint('bold', text),
      commandDescription: described => sentence(described.description()),
      subcommandTerm: termOf,
    })
    .configureOutput({
      writeErr: () => {},
      getOutHelpWidth: () => (process.stdout.isTTY === true ? process.stdout.columns : HELP_WIDTH),
    })
    .exitOverride(error => {
      if (error.exitCode !== 0) throw new UsageError(messageOf(made, error))
      throw error
    })
  if (examples.length > 0) made.addHelpText('after', `\n${paint('bold', 'Examples:')}\n${indented(examples)}`)
  return made
}

/** Adds a paragraph to the end of a command's help. */
export function note(made: Command, text: string): Command {
  return made.addHelpText('after', `\n${text}`)
}

/** Returns whether a command ended by showing its help or its version, as it was asked to. */
export function isHelpShown(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0
}

/** Returns `raay event halt`. */
function pathOf(made: Command): string {
  return made.parent === null ? made.name() : `${pathOf(made.parent)} ${made.name()}`
}

function termOf(made: Command): string {
  if (made.commands.length > 0) return `${made.name()} <action>`
  return `${made.name()} ${argumentsOf(made)}`.trim()
}

function argumentsOf(made: Command): string {
  return made.usage().replace('[options]', '').trim()
}

function messageOf(made: Command, { code, message }: CommanderError): string {
  const path = pathOf(made)
  const advice = `see ${path.replace('raay', 'raay help')}`
  if (code === MISSING_ACTION) return `missing action; ${advice}`
  if (WRONG_ARGUMENTS.includes(code)) return `usage: ${path} ${argumentsOf(made)}`.trim()
  const text = message.replace(/^error: /, '').replace(/\n(?=\(Did you mean)/, ' ')
  return `${text.replace(/\.$/, '')}; ${advice}`
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
const indented = (lines: readonly string[]) => lines.map(line => `  ${line}`).join('\n')
