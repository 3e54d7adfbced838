import type { Context } from 'hono'
import type { z } from 'zod'
import type { Access } from '../../access/access.js'
import type { Identity } from '../../access/identity.js'
import type { RouteFacts } from '../../api/route.js'

/** A request whose route was found and whose caller was let in. */
export interface Call<Path extends string = string, Body extends z.ZodType = z.ZodType> {
  /** The request and its answer in the terms of Hono. */
  readonly c: Context
  readonly route: HandledRoute<Path, Body>
  /** The named parts of the path, decoded. */
  readonly params: Readonly<Record<NamesIn<Path>, string>>
  /** The sender, who meets what the route needs. */
  readonly caller: Identity
  readonly access: Access
  /** The changes of credentials before the caller was identified. */
  readonly changes: number
  /** Undefined where nothing is limited. */
  readonly charge: BatchCharge | undefined
}

/** Charges what only the body tells. */
export interface BatchCharge {
  /** Charges a batch for its orders or cancels. Throws 429 above the limit of either. */
  countBatch(kind: 'orders' | 'cancels', count: number): void
  /** Charges the request as this number of requests like it. Throws 429 above the limit. */
  countAs(requests: number): void
}

/** A route as its handler knows it. */
type HandledRoute<Path extends string, Body extends z.ZodType> = RouteFacts<Path> & {
  readonly body?: { readonly schema: Body }
}

type NamesIn<Path extends string> = Path extends `${infer Part}/${infer Rest}`
  ? NameOf<Part> | NamesIn<Rest>
  : NameOf<Path>
type NameOf<Part extends string> = Part extends `:${infer Name}{${string}`
  ? Name
  : Part extends `:${infer Name}`
    ? Name
    : string extends Part
      ? string
      : never

/** Answers a request; undefined if there is nothing at its address after all. */
export type Handler<Path extends string = string, Body extends z.ZodType = z.ZodType> = (
  call: Call<Path, Body>,
) => Response | undefined | Promise<Response | undefined>

/** A route with its handler. */
export interface Binding {
  readonly route: RouteFacts
  readonly handler: Handler
  /** Throws if the route is closed to all callers at present. */
  readonly checkOpen?: () => void
}

/** Binds a handler to its route. */
export function handle<Path extends string, Body extends z.ZodType = z.ZodType>(
  route: HandledRoute<Path, Body>,
  handler: Handler<Path, Body>,
): Binding {
  return { route, handler: handler as unknown as Handler }
}
