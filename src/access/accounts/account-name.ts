import { foldedName } from '../../core/plain-name.js'
import { newUserIdFault } from '../../api/new-user-id.js'

const LENGTH = { min: 2, max: 32 }

/** The letters of names, each of one script: a Cyrillic а looks like a Latin one. */
const SCRIPTS = [
  'a-zß-öø-ÿ',
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada'].map(byName),
  ...['Malayalam', 'Sinhala', 'Arabic'].map(byName),
]
/** Begins with a letter or digit: neither `..` nor `-rf` is a name. */
const SHAPES = SCRIPTS.map(letters => new RegExp(`^[${letters}0-9][${letters}0-9._-]*$`, 'u'))

/** Names that would pass for the exchange itself, without dots, underscores and hyphens. */
const RESERVED: ReadonlySet<string> = new Set([
  ...[
    'admin',
    'administrator',
    'operator',
    'operatorkey',
    'operators',
    'owner',
    'root',
    'staff',
    'superuser',
  ],
  ...['sysadmin', 'system', 'token', 'account', 'session', 'anonymous', 'everybody', 'everyone', 'open'],
  ...['abuse', 'help', 'helpdesk', 'hostmaster', 'mod', 'moderator', 'official', 'postmaster', 'raay'],
  ...['security', 'support', 'webmaster'],
])

/** Returns why no account can have a folded name, even by invitation; undefined if one can. */
export function reservedFault(folded: string): string | undefined {
  return RESERVED.has(folded.replace(/[\s._-]/g, '')) ? `Expected another: ${folded} is reserved` : undefined
}

/** Returns why a folded name cannot be that of the account for which an invitation reserves one. */
export function claimFault(folded: string, reserved: string): string | undefined {
  if (folded !== foldedName(reserved)) return `Expected ${reserved}, as the invitation has it`
  return reservedFault(folded)
}

/** Returns why a folded name cannot be that of a new account; undefined if it can. */
export function nameFault(folded: string): string | undefined {
  const length = [...folded].length
  if (length < LENGTH.min || length > LENGTH.max) {
    return `Expected ${LENGTH.min} to ${LENGTH.max} characters`
  }
  if (!SHAPES.some(shape => shape.test(folded))) {
    return 'Expected letters of one script, digits, ".", "_" and "-", and a letter or digit first'
  }
  return reservedFault(folded) ?? newUserIdFault(folded)
}

function byName(script: string): string {
  return `\\p{Script=${script}}`
}
