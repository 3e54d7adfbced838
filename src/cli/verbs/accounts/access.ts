import { resolve } from 'node:path'
import type { AcceptedAccounts } from '../../../access/accounts/mend-accounts.js'
import { nativeMismatch } from '../../doctor/native-guard.js'
import { Failure } from '../../exit-errors.js'
import type { Command } from '../../make-command.js'
import { command, note } from '../../make-command.js'
import { jsonOption } from '../../options.js'
import { json, printing } from '../../run-verb.js'
import { settingOption } from '../../settings-options.js'
import { printable } from '../../terminal/printable.js'

interface AccessOptions {
  readonly data: string
  readonly json?: true
}

const CODES = 'Exit codes: 0 done, 1 refused, and nothing was changed, 2 wrong use.'

/** `raay access`: opens sign-in again after the file of accounts was lost, damaged or replaced. */
export function accessCommand(): Command {
  const made = command('access', 'open sign-in again after access.db was lost, damaged or replaced', [
    'raay access accept --data /srv/raay',
    'raay access new --data /srv/raay',
  ])
  note(
    made,
    `An exchange whose file of accounts is in doubt starts with sign-in closed; log and raay doctor say why.
Stop the exchange first.`,
  )
  made.addCommand(acceptCommand())
  made.addCommand(newCommand())
  return made
}

function acceptCommand(): Command {
  const made = command('accept', 'take access.db as it is', ['raay access accept --data /srv/raay'])
  note(
    made,
    `Use it after you have put a backup of access.db in its place, or to go on with a file that was changed or
has lost its last changes. The accounts, keys, suspensions and limits in it count from then on: revoke again
what was revoked since. A file with damaged pages is refused.

${CODES}`,
  )
  return withOptions(made, async ({ data, json: asJson }) => {
    const { acceptAccounts } = await import('../../../access/accounts/mend-accounts.js')
    const { SITE_FILE } = await import('../../../site/site-schema.js')
    const accepted = acceptAccounts(resolve(data), SITE_FILE)
    return asJson === true ? json({ ...accepted, doubt: accepted.doubt ?? null }) : acceptedText(accepted)
  })
}

function newCommand(): Command {
  const made = command('new', 'begin without accounts, setting access.db aside', [
    'raay access new --data /srv/raay',
  ])
  note(
    made,
    `The next start makes an empty access.db. Accounts, keys, suspensions and limits are gone; money and
orders are not: users get theirs back by an invitation to their name.

${CODES}`,
  )
  return withOptions(made, async ({ data, json: asJson }) => {
    const { beginWithoutAccounts } = await import('../../../access/accounts/mend-accounts.js')
    const aside = beginWithoutAccounts(resolve(data), Date.now())
    if (asJson === true) return json({ aside: aside ?? null })
    const old = aside === undefined ? '' : `The old file is ${printable(aside)}.\n`
    return `The next start begins without accounts.\n${old}`
  })
}

/** The actions import late what loads the database's native binding. */
function withOptions(made: Command, act: (options: AccessOptions) => Promise<string>): Command {
  return made
    .addOption(settingOption('data'))
    .addOption(jsonOption())
    .action(
      printing(async (options: AccessOptions) => {
        const mismatch = nativeMismatch()
        if (mismatch !== undefined) throw new Failure(mismatch)
        try {
          return await act(options)
        } catch (error) {
          throw new Failure(error instanceof Error ? error.message : String(error))
        }
      }),
    )
}

function acceptedText({ doubt, accounts }: AcceptedAccounts): string {
  if (doubt === undefined)
    return `access.db is in order: there was nothing to accept (${accounts} accounts).\n`
  return `Accepted access.db with ${accounts} accounts, although ${printable(doubt)}.
Revoke again what was revoked since, and start the exchange.\n`
}
