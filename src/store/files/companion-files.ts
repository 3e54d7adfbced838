import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The files beside tables and journal that hold what no order depends on: accounts with their credentials,
 * and what people and operators put on the site. Each is a database of its own, copied and restored whole;
 * an exchange starts without any of them.
 */
export const COMPANIONS = ['accounts', 'site'] as const
export type Companion = (typeof COMPANIONS)[number]

/** The name in a data directory, and the ending beside a backup. */
const NAMES: Readonly<Record<Companion, { readonly file: string; readonly ending: string }>> = {
  accounts: { file: 'access.db', ending: '.access.db' },
  site: { file: 'site.db', ending: '.site.db' },
}

/** Returns the name of a companion in every data directory. */
export function companionName(companion: Companion): string {
  return NAMES[companion].file
}

/** Returns a companion beside the tables of an exchange. */
export function companionPath(file: string, companion: Companion): string {
  return join(dirname(file), NAMES[companion].file)
}

/** Returns a companion beside a backup: `raay-….access.db` beside `raay-….db`. */
export function companionBackupPath(backup: string, companion: Companion): string {
  return `${backup.replace(/\.db$/, '')}${NAMES[companion].ending}`
}

/** Returns the companions that are beside a backup. */
export function companionsOfBackup(backup: string): Companion[] {
  return COMPANIONS.filter(companion => existsSync(companionBackupPath(backup, companion)))
}

/** Returns the companions that are beside the tables of an exchange. */
export function companionsOf(file: string): Companion[] {
  return COMPANIONS.filter(companion => existsSync(companionPath(file, companion)))
}
