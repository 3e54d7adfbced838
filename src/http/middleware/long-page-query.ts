import { pageQuery } from '../../api/page-query.js'

const LIMIT_DEFAULT = 1000

/** Query of a list that was once unpaged: its default page is the longest allowed. */
export const longPageQuery = pageQuery.extend({
  limit: pageQuery.shape.limit
    .unwrap()
    .default(LIMIT_DEFAULT)
    .meta({ description: 'Maximum rows per page', default: LIMIT_DEFAULT }),
})
