import type { Context } from 'hono'
import type { Credentials } from '../../access/access.js'
import { ApiError } from '../../api/api-error.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { sessionCookieIn } from '../middleware/session-cookie.js'
import type { RequestEnvironment } from './environment.js'
import { environmentOf } from './environment.js'
import type { Call } from './handle.js'

const RIGHTS_CHANGED = 'The rights of the credential changed while the request was sent: send it again'

/** Returns the credentials of a request. Node's headers are read where there are any: see `headerOf`. */
export function credentialsOf(c: Context): Credentials {
  const environment = environmentOf(c)
  const headers = environment.incoming?.headers
  const request = c.req.raw
  const authorization = headers ? headers.authorization : (request.headers.get('authorization') ?? undefined)
  const cookie = headers ? headers.cookie : (request.headers.get('cookie') ?? undefined)
  const host = (headers ? headers.host : request.headers.get('host')) ?? ''
  const { encrypted: isEncrypted = false } = (environment.incoming?.socket ?? {}) as { encrypted?: boolean }
  return {
    authorization,
    session: undefined,
    ...(cookie !== undefined && sessionCookieIn(cookie, host, isEncrypted)),
    address: addressIn(environment),
  }
}

/**
 * Checks a caller again after a body that may have been on its way for long. Throws 401 if the credential has
 * ended meanwhile, 403 if it has other rights.
 */
export async function checkCallerAgain({ c, access, caller, changes }: Call): Promise<void> {
  if (access.changes === changes || caller.credential === undefined) return
  const now = await access.identify(credentialsOf(c))
  if (now.kind === 'anonymous') throw new ApiError(401, REFUSED.tokenMissing, 'token_missing')
  const isSame = now.credential === caller.credential && now.role === caller.role
  if (!isSame) throw new ApiError(403, RIGHTS_CHANGED, 'scope_missing')
}

/** Returns the address of the sender as people write it: a dual-stack socket writes IPv4 in IPv6 form. */
export function addressOf(c: Context): string {
  return addressIn(environmentOf(c))
}

function addressIn({ incoming, address }: RequestEnvironment): string {
  return address ?? (incoming?.socket?.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '')
}
