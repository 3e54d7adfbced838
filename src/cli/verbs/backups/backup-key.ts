import { resolve } from 'node:path'
import { Failure } from '../../exit-errors.js'
import type { Command } from '../../make-command.js'
import { command, note } from '../../make-command.js'
import { jsonOption } from '../../options.js'
import { json, printing } from '../../run-verb.js'
import { printable } from '../../terminal/printable.js'

/** `raay backup key`: makes a key pair for encrypted backups. */
export function keyCommand(): Command {
  const made = command('key', 'make a key that opens encrypted backups', [
    'raay backup key ~/raay-backup.key',
  ])
  note(
    made,
    `Writes the secret key into a new file, which only its owner can read, and prints the public key: give
that to the exchange as --backup-recipient. Keep the file elsewhere, and a second copy of it: without it
nobody opens the backups, with it anyone does. It is a key of age (https://age-encryption.org): the program
age opens the backups as well.

Exit codes: 0 made, 1 failed, 2 wrong use.`,
  )
  return made.argument('<file>').addOption(jsonOption()).action(printing(makeKey))
}

async function makeKey(file: string, { json: isJson }: { readonly json?: true }): Promise<string> {
  const { makeIdentityFile } = await import('../../../backup/encryption/identity-file.js')
  const path = resolve(file)
  try {
    const recipient = await makeIdentityFile(path, Date.now())
    return isJson ? json({ file: path, recipient }) : `${printable(recipient)}\n`
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error))
  }
}
