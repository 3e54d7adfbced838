import type { Role } from '../../access/scopes.js'
import { ROLES } from '../../access/scopes.js'
import type { SettingType } from './setting-types.js'
import { WrongValue } from './setting-types.js'

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
const NAME_LENGTH_MAX = 40

/** The address of an OpenID provider, exactly as its tokens have it. */
export const OIDC_ISSUER: SettingType<string> = {
  value: 'url',
  inFile: 'text',
  read: text => {
    if (URL.canParse(text)) {
      const { protocol, hostname, search, hash, username } = new URL(text)
      const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
      if (isSafe && search === '' && hash === '' && username === '') return text
    }
    throw new WrongValue(`is ${text}: give an https address, exactly as the provider writes it`)
  },
}

/** The provider on the sign-in page. */
export const PROVIDER_NAME: SettingType<string> = {
  value: 'name',
  inFile: 'text',
  read: text => {
    if ([...text].length <= NAME_LENGTH_MAX && !/\p{C}/u.test(text)) return text
    throw new WrongValue(`is not a name: give up to ${NAME_LENGTH_MAX} characters`)
  },
}

/** Reads a value of a claim and the role that it gives. Throws WrongValue. */
export function mappedRole(text: string): readonly [value: string, role: Role] {
  const at = text.lastIndexOf('=')
  const role = ROLES.find(name => name === text.slice(at + 1).trim())
  const value = text.slice(0, Math.max(at, 0)).trim()
  if (role !== undefined && value !== '') return [value, role]
  throw new WrongValue(`has ${text}: give pairs such as raay-ops=operator, with ${ROLES.join(', ')}`)
}
