import { z } from 'zod'
import { LIMITS } from '../limits.js'
import { pageQuery } from '../page-query.js'
import { storedText } from '../validation.js'
import { isWebAddress } from '../web-address.js'

/** The body of `POST /events/:code/resolve` (specification 10.5). */
export const resolutionSchema = z
  .strictObject({
    outcome: z.enum(['yes', 'no', 'void']),
    source_url: storedText
      .max(LIMITS.sourceUrlLengthMax, `Expected at most ${LIMITS.sourceUrlLengthMax} characters`)
      .refine(isWebAddress, 'Expected an http or https address')
      .optional(),
    note: storedText
      .max(LIMITS.noteLengthMax, `Expected at most ${LIMITS.noteLengthMax} characters`)
      .optional(),
  })
  .meta({ id: 'Resolution' })

/** Selects an outcome and a page. */
export const previewQuery = z.object({ outcome: z.enum(['yes', 'no', 'void']), ...pageQuery.shape })
