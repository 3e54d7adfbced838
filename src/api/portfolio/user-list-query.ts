import { z } from 'zod'
import { LIMITS } from '../limits.js'
import { pageQuery } from '../page-query.js'
import { storedText } from '../validation.js'

/** The query of `GET /portfolio`. */
export const userListQuery = z.object({
  q: storedText
    .max(LIMITS.searchLengthMax, `Expected at most ${LIMITS.searchLengthMax} characters`)
    .optional()
    .meta({ description: 'Part of the user id, in any case' }),
  sort: z
    .enum(['created', 'userid', 'cash', 'held', 'available', 'profit', 'volume', 'last_seen'])
    .default('created')
    .meta({ description: 'Sorts by the age of the account by default' }),
  order: z.enum(['asc', 'desc']).default('asc'),
  only: z
    .enum(['suspended', 'limited'])
    .optional()
    .meta({ description: 'Only users whose trading is suspended, or who have any limit of their own' }),
  figures: z
    .enum(['yes', 'no'])
    .default('no')
    .meta({ description: '`yes` adds profit, volume and the last activity; `no` is the default' }),
  ...pageQuery.shape,
})
