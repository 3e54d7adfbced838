import { z } from 'zod'
import { wholeParts } from '../../core/units.js'
import { LIMITS } from '../limits.js'
import { storedText } from '../validation.js'

export const PAISE_PER_RUPEE = 100

/** The body of a deposit or a withdrawal (specification 11). */
export const transferSchema = z
  .strictObject({
    amount: z
      .number()
      .gt(0, 'Expected more than 0')
      .max(LIMITS.transferMax, `Expected at most ${LIMITS.transferMax}`)
      .refine(
        rupees => wholeParts(rupees, PAISE_PER_RUPEE) !== undefined,
        'Expected whole paise, at most 2 decimals',
      )
      .meta({ description: 'INR in whole paise' }),
    txn_id: storedText
      .min(1, `Expected 1 to ${LIMITS.txnIdLengthMax} characters`)
      .max(LIMITS.txnIdLengthMax, `Expected 1 to ${LIMITS.txnIdLengthMax} characters`)
      .meta({ description: 'Idempotency key: a repeat returns the first answer' }),
  })
  .meta({ id: 'NewTransfer' })
