import { LIMITS } from './limits.js'
import { pageQuery } from './page-query.js'

/** Selects a page of a list that once had no pages: its default page is the longest allowed. */
export const longPageQuery = pageQuery.extend({
  limit: pageQuery.shape.limit
    .unwrap()
    .default(LIMITS.pageLengthMax)
    .meta({ description: 'Maximum rows per page', default: LIMITS.pageLengthMax }),
})
