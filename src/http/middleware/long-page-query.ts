import { pageQuery } from '../../api/page-query.js'

const LIMIT_DEFAULT = 1000

/** The page of a list that once came whole: by default it has as many rows as a page may have. */
export const longPageQuery = pageQuery.extend({
  limit: pageQuery.shape.limit
    .unwrap()
    .default(LIMIT_DEFAULT)
    .meta({ description: 'The most rows of a page', default: LIMIT_DEFAULT }),
})
