import type { IncomingMessage } from 'node:http'
import type { Context, Hono } from 'hono'
import type { Access, Credentials } from '../../access/access.js'
import type { CallerEnvironment } from '../../access/caller-environment.js'
import type { Identity } from '../../access/identity.js'
import { ANONYMOUS, OPEN } from '../../access/identity.js'
import { ApiError } from '../../api/api-error.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { checkScope } from './caller.js'
import { refusalResponse } from './error-refusal.js'
import { isAlwaysOpen, isMarketData, isTokenless } from './public-paths.js'
import { sessionCookieIn } from './session-cookie.js'

const RIGHTS_CHANGED = 'The rights of the credential changed while the request was sent: send it again'

/** Kept of a request by the adapter and this file; without a socket only the caller. */
interface Environment extends CallerEnvironment {
  /** The caller whom an operator's route has let in. */
  admitted?: Identity
  access?: Access
  /** The changes of credentials before the caller was identified. */
  changes?: number
  readonly incoming?: Partial<Pick<IncomingMessage, 'headers' | 'socket'>>
  /** The client's address behind trusted proxies. */
  readonly address?: string
}

/**
 * Identifies the callers of all requests before the app handles them. In the mode `open` they are everybody;
 * in the mode `jwt` a request without a token goes no further, unless its address is public.
 */
export function identifyCallers(app: Hono, access: Access): Hono {
  const { fetch } = app
  if (access.mode === 'open') {
    app.fetch = (request, env, context) => {
      const environment = (env ?? {}) as Environment
      environment.caller = OPEN
      environment.access = access
      environment.changes = access.changes
      return fetch(request, environment, context)
    }
    return app
  }
  app.fetch = (request, env, context) => {
    const environment = (env ?? {}) as Environment
    const pass = (caller: Identity) => {
      environment.caller = caller
      return fetch(request, environment, context)
    }
    environment.access = access
    environment.changes = access.changes
    try {
      if (isAlwaysOpen(request.url)) return pass(ANONYMOUS)
      const caller = access.identify(credentialsIn(request, environment))
      return caller instanceof Promise
        ? caller.then(found => pass(admitted(access, request, found))).catch(refusalResponse)
        : pass(admitted(access, request, caller))
    } catch (error) {
      return refusalResponse(error)
    }
  }
  return app
}

/** Returns the credentials of a request, for the routes that identify their callers themselves. */
export function credentialsOf(c: Context): Credentials {
  return credentialsIn(c.req.raw, (c.env ?? {}) as Environment)
}

/** Notes whom an operator's route has let in, to be checked again once the body has been read. */
export function noteAdmitted(c: Context, caller: Identity): void {
  const environment = (c.env ?? {}) as Environment
  environment.admitted = caller
}

/**
 * Checks a caller again after a body that may have been on its way for long. Throws 401 if the credential has
 * ended meanwhile, 403 if it has other rights.
 */
export async function checkCallerAgain(c: Context): Promise<void> {
  const environment = (c.env ?? {}) as Environment
  const { access, changes, admitted, caller = ANONYMOUS } = environment
  const before = admitted ?? caller
  if (access === undefined || access.changes === changes || before.credential === undefined) return
  const now = await access.identify(credentialsOf(c))
  if (now.kind === 'anonymous') throw new ApiError(401, REFUSED.tokenMissing, 'token_missing')
  const isSame = now.credential === before.credential && now.role === before.role
  if (!isSame) throw new ApiError(403, RIGHTS_CHANGED, 'scope_missing')
}

/** Returns the address of the sender as people write it: a dual-stack socket writes IPv4 in IPv6 form. */
export function addressOf(c: Context): string {
  return addressIn((c.env ?? {}) as Environment)
}

function addressIn({ incoming, address }: Environment): string {
  return address ?? (incoming?.socket?.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '')
}

/** Reads Node's headers where there are any: asking a request for one makes a `Headers` of all. */
function credentialsIn(request: Request, environment: Environment): Credentials {
  const headers = environment.incoming?.headers
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

/** Throws 401 without a token, and 403 if one without `read` asks for market data that is not public. */
function admitted(access: Access, { method, url }: Request, caller: Identity): Identity {
  if (access.mode !== 'jwt' || isTokenless(url)) return caller
  const readsMarkets = isMarketData(method, url)
  if (access.publicReads && readsMarkets) return caller
  if (caller.kind === 'anonymous') throw new ApiError(401, REFUSED.tokenMissing, 'token_missing')
  if (readsMarkets) checkScope(caller, 'read')
  return caller
}
