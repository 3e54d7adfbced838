import type { Account, Role, SecretLink } from '../../../client/node-client.js'
import { printable } from '../../terminal/printable.js'
import { minute } from '../../terminal/table.js'

export const ROLES: readonly Role[] = ['viewer', 'trader', 'operator', 'admin']

/** Formats an account: `asha is a trader`. */
export function accountLine({ name, role, disabled }: Account): string {
  const article = /^[ao]/.test(role) ? 'an' : 'a'
  return `${printable(name)} is ${article} ${role}${disabled ? ', disabled' : ''}\n`
}

/** Prints a link alone on stdout, for programs, and on stderr until when it works. */
export function linkLine({ url, expires_at }: SecretLink): string {
  process.stderr.write(`works once, until ${minute(expires_at)} UTC:\n`)
  return `${url}\n`
}
