import { z } from 'zod'

/** One message over WebSocket, as documented. */
export interface SocketMessage {
  readonly summary: string
  readonly description?: string
  readonly schema: z.ZodType
  /** By the name of the example. */
  readonly samples: Readonly<Record<string, unknown>>
}

/** 2026-02-01T09:31:00.000Z: times on WebSocket are epoch milliseconds. */
export const SAMPLE_TS = 1_769_938_260_000

export const messageId = z
  .union([z.string().max(128), z.number()])
  .optional()
  .meta({ description: 'Chosen by the client; repeated in the reply' })

/** Returns a message that the exchange sends to one client. */
export function reply(
  summary: string,
  event: string,
  fields: z.ZodRawShape,
  samples: readonly object[],
): SocketMessage {
  const schema = z.object({ event: z.literal(event), ...fields })
  const named = samples.map((sample, index) => [`${event} ${index + 1}`, { event, ...sample }])
  return { summary, schema, samples: Object.fromEntries(named) as Record<string, unknown> }
}
