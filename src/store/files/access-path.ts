import { dirname, join } from 'node:path'
import { CREDENTIAL_FILES } from './credential-files.js'

/** Returns the file of accounts beside the tables of an exchange. */
export function accessPath(file: string): string {
  return join(dirname(file), CREDENTIAL_FILES.accounts)
}

/** Returns the file for the accounts beside a backup: `raay-….access.db` beside `raay-….db`. */
export function accessBackupPath(backup: string): string {
  return `${backup.replace(/\.db$/, '')}.access.db`
}
