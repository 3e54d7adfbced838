import { z } from 'zod'
import { LIMITS } from '../limits.js'
import { pageQuery, rangedPage } from '../page-query.js'
import { storedText } from '../validation.js'
import { AUDIT_ACTS, AUDIT_REFUSALS } from './audit-kinds.js'
import { roleField } from './auth-schema.js'

const search = storedText
  .max(LIMITS.searchLengthMax, `Expected at most ${LIMITS.searchLengthMax} characters`)
  .optional()

/** The query of `GET /auth/users`. */
export const accountListQuery = z.object({
  q: search.meta({ description: 'Part of the name' }),
  role: roleField.optional(),
  state: z.enum(['enabled', 'disabled']).optional(),
  ...pageQuery.shape,
})

/** The query of `GET /auth/audit`. */
export const auditQuery = z.object({
  q: search.meta({ description: 'Part of a name, an address or a detail' }),
  kind: z.enum([...AUDIT_ACTS, ...AUDIT_REFUSALS]).optional(),
  ...rangedPage.shape,
})

/** The query of requests about sessions. */
export const sessionOwnerQuery = z.object({
  user: storedText.optional().meta({ description: 'Admins: the account whose sessions are meant' }),
  operator: z
    .literal('true')
    .optional()
    .meta({ description: "Admins: those opened by the operator's key, without an account" }),
})

/** The query of requests about the keys of an account. */
export const keyOwnerQuery = z.object({
  user: storedText.optional().meta({ description: 'Admins: the account whose keys are meant' }),
})
