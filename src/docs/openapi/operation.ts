import type { z } from 'zod'
import type { ErrorCode } from '../../api/errors.js'
import { LIMITS } from '../../api/limits.js'
import { REFUSED } from '../../api/refusal-texts.js'

export type Group = 'Events' | 'Orders' | 'Portfolio' | 'People' | 'Accounts' | 'Operator' | 'Service'

/** One answer other than a refusal. */
export interface Answer {
  readonly code: 101 | 200 | 201
  /** The envelope's message; a pattern if it varies. Absent if there is no envelope. */
  readonly message?: string | RegExp
  /** The content of `additional`; absent if there is no such field. */
  readonly additional?: z.ZodType
  /** By the name of the example. */
  readonly samples?: Readonly<Record<string, Sample>>
  /** Headers of the answer and their meaning. */
  readonly headers?: Readonly<Record<string, AnswerHeader>>
  /** An answer without an envelope: its media type, schema and example. */
  readonly content?: { readonly type: string; readonly schema: z.ZodType; readonly sample: unknown }
  readonly description?: string
}

interface AnswerHeader {
  readonly description: string
  /** Set if the header may be missing. */
  readonly isOptional?: true
}

interface Sample {
  readonly additional?: unknown
  /** The message of this example, if the message varies. */
  readonly message?: string
}

/**
 * One operation of the API, as documented. The schemas are those that validate requests and type the views;
 * tests check the rest against the app's answers.
 */
export interface Operation {
  readonly id: string
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** In the app's notation: `/events/:code`. */
  readonly path: string
  readonly group: Group
  readonly summary: string
  readonly description?: string
  readonly query?: z.ZodObject
  /** Example values of the query. */
  readonly querySample?: Readonly<Record<string, string | number>>
  readonly headers?: z.ZodObject
  readonly headersSample?: Readonly<Record<string, string>>
  readonly body?: { readonly schema: z.ZodType; readonly samples: Readonly<Record<string, unknown>> }
  readonly answers: readonly Answer[]
  /** Refusals by code, beside those that any request may receive; messages as clients read them. */
  readonly refusals: Partial<Record<ErrorCode, readonly string[]>>
  /** Set if it reads history from disk, and so waits for its turn. */
  readonly readsHistory?: true
  /** Set if it is reserved for the operator. */
  readonly isOperators?: true
  /** Set if it ignores unknown query parameters; others refuse them. */
  readonly takesAnyQuery?: true
  /** Set if it is served at the bare address only, not below `/api/v1`. */
  readonly isAtRootOnly?: true
}

/** An example of `from` and `to`, and the refusal if they are wrong. */
export const RANGE = {
  sample: { from: '2026-02-01T00:00:00.000Z', to: '4102444800000' },
  faults: [
    'from: Expected an ISO 8601 date-time like 2026-01-31T18:30:00.000Z, or epoch milliseconds',
    'to: Expected a time after from',
  ],
}

/** The refusals of every list. */
export const PAGE_FAULTS = [`limit: Expected 1 to ${LIMITS.pageLengthMax}`, REFUSED.cursorUnknown]
