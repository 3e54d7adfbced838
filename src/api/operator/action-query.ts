import { z } from 'zod'
import { answerField } from '../fields.js'
import { LIMITS } from '../limits.js'
import { rangedPage } from '../page-query.js'
import { userIdText } from '../user-id.js'
import { storedText } from '../validation.js'

/** The actions in the log, named as in the routes. */
export const ACTIONS = [
  'create',
  'edit',
  'halt',
  'resume',
  'close',
  'resolve',
  'void',
  'deposit',
  'withdraw',
  'backup',
  'confirm_clock',
  'begin_epoch',
  'fund_quotes',
  'stop_quotes',
  'create_season',
  'edit_season',
  'delete_season',
  'create_webhook',
  'edit_webhook',
  'disable_webhook',
  'delete_webhook',
  'replay_webhook',
] as const

const words = storedText
  .max(LIMITS.searchLengthMax, `Expected at most ${LIMITS.searchLengthMax} characters`)
  .optional()

/** The query of `GET /admin/actions`. */
export const actionQuery = z.object({
  q: words.meta({ description: 'Part of anything in a line, in any case' }),
  who: words.meta({ description: 'Part of who it was, such as the name of an account' }),
  action: z.enum(ACTIONS).optional(),
  event_id: answerField.eventCode.optional(),
  userid: userIdText.optional(),
  ...rangedPage.shape,
})
