import type { z } from 'zod'

/** One message over WebSocket, as documented. */
export interface SocketMessage {
  readonly summary: string
  readonly schema: z.ZodType
  /** By the name of the example. */
  readonly samples: Readonly<Record<string, unknown>>
}

/** 2026-02-01T09:31:00.000Z: times on WebSocket are epoch milliseconds. */
export const SAMPLE_TS = 1_769_938_260_000
