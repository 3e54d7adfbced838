import { z } from 'zod'
import type { Checked, Same } from '../same-shape.js'
import type { LedgerReport } from './operator-shape.js'

/** Result of checking that the money adds up, recomputed at one moment. */
export const ledgerAnswer = z
  .object({
    sequence: z.int().min(0).meta({ description: 'The last batch included' }),
    ok: z.boolean(),
    checks: z.array(z.object({ rule: z.string(), ok: z.boolean() })),
    findings: z.array(z.string()).optional().meta({ description: 'The errors found, if ok is false' }),
    accounts: z.int().min(0),
    events: z.int().min(0),
    open_orders: z.int().min(0),
  })
  .meta({ id: 'LedgerReport' })

export type LedgerAnswer = Checked<LedgerReport, Same<LedgerReport, z.output<typeof ledgerAnswer>>>
