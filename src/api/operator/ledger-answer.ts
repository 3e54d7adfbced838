import { z } from 'zod'

/** Whether the money adds up, recomputed at one moment. */
export const ledgerAnswer = z
  .object({
    sequence: z.int().min(0).meta({ description: 'The last batch that is counted' }),
    ok: z.boolean(),
    checks: z.array(z.object({ rule: z.string(), ok: z.boolean() })),
    findings: z.array(z.string()).optional().meta({ description: 'What is wrong, where ok is false' }),
    accounts: z.int().min(0),
    events: z.int().min(0),
    open_orders: z.int().min(0),
  })
  .meta({ id: 'LedgerReport' })

export type LedgerAnswer = z.output<typeof ledgerAnswer>
