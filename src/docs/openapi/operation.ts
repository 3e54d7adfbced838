import type { z } from 'zod'
import type { ErrorCode } from '../../api/errors.js'

export type Group = 'Events' | 'Orders' | 'Portfolio' | "The operator's" | 'The exchange'

/** One way to be answered that is no refusal. */
export interface Answer {
  readonly code: 101 | 200 | 201
  /** The envelope's message; a pattern where it is not always the same. Absent where there is no envelope. */
  readonly message?: string | RegExp
  /** What `additional` holds; absent where there is none. */
  readonly additional?: z.ZodType
  /** By the name of the example. */
  readonly samples?: Readonly<Record<string, Sample>>
  /** Headers that the answer brings, and what they say. */
  readonly headers?: Readonly<Record<string, AnswerHeader>>
  /** What is answered where it is no envelope: the media type, its schema, an example of it. */
  readonly content?: { readonly type: string; readonly schema: z.ZodType; readonly sample: unknown }
  readonly description?: string
}

interface AnswerHeader {
  readonly description: string
  /** Whether it may be missing. */
  readonly isOptional?: true
}

interface Sample {
  readonly additional?: unknown
  /** Where the message is not always the same. */
  readonly message?: string
}

/**
 * One operation of the API, as the documents tell it. The schemas are those that requests are checked with
 * and that views are typed by; tests hold the rest against what the app answers.
 */
export interface Operation {
  readonly id: string
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  /** As the app has it: `/events/:code`. */
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
  /** What may be refused, by code, beside what any request may be; messages as clients read them. */
  readonly refusals: Partial<Record<ErrorCode, readonly string[]>>
  /** Whether it reads from disk what happened, and so waits for its turn. */
  readonly readsHistory?: true
  /** Whether only the operator may. */
  readonly isOperators?: true
  /** Whether it passes over query parameters that it does not know; others refuse them. */
  readonly takesAnyQuery?: true
  /** Only at the bare address, not below `/api/v1`. */
  readonly isAtRootOnly?: true
}

/** What is said where the exchange is too busy to take more; nothing was queued. */
export const QUEUE_FULL = 'The order queue is full: try again in a moment'
/** What is said where the accounts hold all the money that may be; asking again does not help. */
export const MONEY_FULL = 'No more money can come in: the money of all accounts together reaches its limit'

/** An example of `from` and `to`, and what is said where they are wrong. */
export const RANGE = {
  sample: { from: '2026-02-01T00:00:00.000Z', to: '4102444800000' },
  faults: [
    'from: Expected an ISO 8601 date-time like 2026-01-31T18:30:00.000Z, or epoch milliseconds',
    'to: Expected a time after from',
  ],
}
