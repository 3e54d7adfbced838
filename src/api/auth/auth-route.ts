import type { z } from 'zod'
import type { AuthRefusal } from './auth-refusals.js'
import { AUTH_REFUSED } from './auth-refusals.js'
import type { ErrorCode } from '../errors.js'
import { REFUSED } from '../refusal-texts.js'
import type { Needs, Route, RouteFacts } from '../route.js'

/** A route below `/auth`, in short. */
interface ShortRoute<Path extends string, Body extends z.ZodType>
  extends Pick<
      RouteFacts<Path>,
      'method' | 'path' | 'needs' | 'cost' | 'query' | 'needsAccounts' | 'revokes'
    >,
    Pick<Route, 'id' | 'summary' | 'description' | 'querySample'> {
  /** Set where it works without accounts, too. */
  readonly inEveryMode?: true
  readonly body?: readonly [schema: Body, sample: unknown]
  readonly code?: 201
  readonly message: string
  readonly answer?: readonly [schema: z.ZodType, sample: unknown]
  /** Set if the answer gives or takes a session. */
  readonly setsCookie?: true
  /** Set if it hashes or compares passwords: 429 after failed attempts. */
  readonly isSlowed?: true
  readonly refused?: readonly AuthRefusal[]
  readonly invalid?: readonly string[]
}

type Refusals = Partial<Record<ErrorCode, readonly string[]>>

const NOT_SIGNED_IN = { 401: [REFUSED.tokenMissing, REFUSED.tokenWrong] }
const SLOWED = 'Too many failed attempts: try again in 8 seconds'
const COOKIE = { 'Set-Cookie': { description: 'The session, `raay_session` or `__Host-raay_session`' } }

const OF_CALLERS: Readonly<Partial<Record<Needs, Refusals>>> = {
  session: { ...NOT_SIGNED_IN, 403: [AUTH_REFUSED.session_needed[1]] },
  own: { ...NOT_SIGNED_IN, 403: [AUTH_REFUSED.session_needed[1], AUTH_REFUSED.admin_only[1]] },
  admin: { ...NOT_SIGNED_IN, 403: [AUTH_REFUSED.admin_only[1], AUTH_REFUSED.session_needed[1]] },
}

/** Declares a route below `/auth`, with the refusals that its callers and its mode bring. */
export function authRoute<const Path extends string, Body extends z.ZodType = z.ZodType>(
  short: ShortRoute<Path, Body>,
): Route<Path, Body> {
  const { inEveryMode, body, code = 200, message, answer, setsCookie, isSlowed, ...rest } = short
  const { refused = [], invalid = [], ...operation } = rest
  const refusals: Refusals[] = [
    OF_CALLERS[operation.needs] ?? {},
    inEveryMode ? {} : { 404: [AUTH_REFUSED.accounts_off[1]] },
    ...refused.map(reason => ({ [AUTH_REFUSED[reason][0]]: [AUTH_REFUSED[reason][1]] })),
    isSlowed ? { 429: [SLOWED], 503: [AUTH_REFUSED.busy[1]] } : {},
    invalid.length > 0 ? { 422: invalid } : {},
  ]
  return {
    ...operation,
    group: 'Accounts',
    isPrivate: true,
    // Owners of idle keys are named by admins in every mode.
    ...(inEveryMode === undefined && short.needs !== 'own' && { needsAccounts: true as const }),
    ...(body !== undefined && { body: { schema: body[0], samples: { request: body[1] } } }),
    answers: [
      {
        code,
        message,
        ...(answer !== undefined && { additional: answer[0] }),
        samples: { answer: answer === undefined ? {} : { additional: answer[1] } },
        ...(setsCookie && { headers: COOKIE }),
      },
    ],
    refusals: refusals.reduce<Refusals>(merged, {}),
  }
}

function merged(all: Refusals, more: Refusals): Refusals {
  const sum: Record<string, readonly string[]> = { ...all }
  for (const [code, messages] of Object.entries(more)) sum[code] = [...(sum[code] ?? []), ...messages]
  return sum
}
