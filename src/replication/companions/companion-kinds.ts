import { ACCESS_FILE } from '../../access/accounts/access-schema.js'
import { SITE_FILE } from '../../site/site-schema.js'
import type { CompanionKind } from '../../store/companions/companion-kind.js'
import type { Companion } from '../../store/files/companion-files.js'

/** The kinds of files by their names. */
export const COMPANION_KINDS: Readonly<Record<Companion, CompanionKind>> = {
  accounts: ACCESS_FILE,
  site: SITE_FILE,
}
