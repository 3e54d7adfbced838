import type { z } from 'zod'
import type { AuthRefusal } from '../../api/auth/auth-refusals.js'
import { AUTH_REFUSED } from '../../api/auth/auth-refusals.js'
import type { ErrorCode } from '../../api/errors.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { Operation } from './operation.js'

/** The callers of an operation: everybody, people signed in, owners and admins, admins, operators. */
type Callers = 'all' | 'session' | 'own' | 'admin' | 'operator'

/** An operation below `/auth`, in short. */
interface AuthOperation
  extends Pick<Operation, 'id' | 'method' | 'path' | 'summary' | 'description' | 'query' | 'querySample'> {
  readonly callers: Callers
  /** Set where it works without accounts, too. */
  readonly inEveryMode?: true
  readonly body?: readonly [schema: z.ZodType, sample: unknown]
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

const OF_CALLERS: Readonly<Record<Callers, Refusals>> = {
  all: {},
  session: { ...NOT_SIGNED_IN, 403: [AUTH_REFUSED.session_needed[1]] },
  own: { ...NOT_SIGNED_IN, 403: [AUTH_REFUSED.session_needed[1], AUTH_REFUSED.admin_only[1]] },
  admin: { ...NOT_SIGNED_IN, 403: [AUTH_REFUSED.admin_only[1], AUTH_REFUSED.session_needed[1]] },
  operator: {},
}

/** Returns an operation below `/auth` with the refusals that its callers and its mode bring. */
export function authOperation(short: AuthOperation): Operation {
  const { callers, inEveryMode, body, code = 200, message, answer, setsCookie, isSlowed, ...rest } = short
  const { refused = [], invalid = [], ...operation } = rest
  const refusals: Refusals[] = [
    OF_CALLERS[callers],
    inEveryMode ? {} : { 404: [AUTH_REFUSED.accounts_off[1]] },
    ...refused.map(reason => ({ [AUTH_REFUSED[reason][0]]: [AUTH_REFUSED[reason][1]] })),
    isSlowed ? { 429: [SLOWED], 503: [AUTH_REFUSED.busy[1]] } : {},
    invalid.length > 0 ? { 422: invalid } : {},
  ]
  return {
    ...operation,
    group: 'Accounts',
    ...(callers === 'operator' && { isOperators: true as const }),
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
