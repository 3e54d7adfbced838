import { z } from 'zod'

/** The query of `GET /admin/health/history`. */
export const healthHistoryQuery = z.object({
  range: z
    .enum(['hour', 'day'])
    .default('hour')
    .meta({ description: 'The last hour in steps of 10 seconds, or the last day in steps of 5 minutes' }),
})
