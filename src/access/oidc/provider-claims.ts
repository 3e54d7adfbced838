import { nameFault } from '../accounts/account-name.js'
import { foldedName } from '../../core/plain-name.js'
import type { JsonObject } from '../jwt/token-parts.js'
import type { Role } from '../scopes.js'
import { ROLES } from '../scopes.js'
import type { OidcSettings } from './oidc-settings.js'

const ROLE_DEFAULT: Role = 'trader'
/** Room for a number behind a name that is taken. */
const NAME_LENGTH_MAX = 27
const SUBJECT_LENGTH_MAX = 255

/** A person at the provider, by the claims about them. */
export interface ProviderPerson {
  readonly subject: string
  /** Set if a claim decides on the role. */
  readonly role: Role | undefined
  /** Names that they may have, the best first, each valid; a number may have to be added. */
  readonly names: readonly string[]
}

/** Returns the names of the claims that matter for a sign-in. */
export function wantedClaims({ allowedGroups, groupsClaim, roleClaim }: OidcSettings): string[] {
  const wanted = ['preferred_username']
  if (allowedGroups !== undefined) wanted.push(groupsClaim)
  if (roleClaim !== undefined) wanted.push(roleClaim)
  return wanted
}

/** Returns the person whom verified claims are about, or why they may not come in. */
export function personIn(
  claims: JsonObject,
  settings: OidcSettings,
): ProviderPerson | 'group_missing' | 'provider_refused' {
  const { allowedGroups, groupsClaim, roleClaim, roleMap } = settings
  const { sub } = claims
  if (typeof sub !== 'string' || sub === '' || sub.length > SUBJECT_LENGTH_MAX) return 'provider_refused'
  if (allowedGroups !== undefined) {
    const groups = textsIn(claims[groupsClaim])
    if (!groups.some(group => allowedGroups.includes(group))) return 'group_missing'
  }
  const roles =
    roleClaim === undefined ? undefined : textsIn(claims[roleClaim]).map(name => roleMap.get(name))
  const role = roles && (ROLES.findLast(name => roles.includes(name)) ?? ROLE_DEFAULT)
  return { subject: sub, role, names: namesIn(claims) }
}

/** Returns the texts of a claim that is one or has a list of them; none if it is missing. */
function textsIn(claim: unknown): string[] {
  return [claim].flat().filter(text => typeof text === 'string')
}

function namesIn({ preferred_username, name, email }: JsonObject): string[] {
  const texts = [preferred_username, name, email].filter(text => typeof text === 'string')
  const names = texts.map(text => validName(text))
  return [...new Set(names)].filter(name => nameFault(name) === undefined)
}

/** Makes a name of a text, which may be an e-mail address or have spaces. */
function validName(text: string): string {
  const [local = ''] = text.slice(0, SUBJECT_LENGTH_MAX).split('@')
  const plain = foldedName(local)
    .normalize('NFKD')
    .replace(/(?<=[a-z])\p{M}+/gu, '')
    .normalize('NFC')
    .replace(/\s+/g, '.')
    .replace(/[^\p{L}\p{M}\p{N}._-]/gu, '')
    .replace(/^[._-]+/, '')
  return [...plain].slice(0, NAME_LENGTH_MAX).join('')
}
