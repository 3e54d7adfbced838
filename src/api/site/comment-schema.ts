import { z } from 'zod'
import { plainText } from '../../core/plain-text.js'
import { answerField } from '../fields.js'
import { LIMITS } from '../limits.js'
import { pageQuery } from '../page-query.js'
import type { Checked, Same } from '../same-shape.js'
import { userIdField, userIdText } from '../user-id.js'
import { storedText } from '../validation.js'
import type { Comment, ListedComment } from './comment-shape.js'

const { commentLengthMax, commentLinesMax, noteLengthMax } = LIMITS
const LENGTH = `Expected 1 to ${commentLengthMax} characters`

/** The body of `POST /events/:code/comments`. */
export const commentSchema = z.strictObject({
  userid: userIdField,
  text: storedText
    // Longer ones are not worth cleaning.
    .max(4 * commentLengthMax, LENGTH)
    .transform(plainText)
    .refine(text => text.length >= 1 && text.length <= commentLengthMax, LENGTH)
    .refine(text => text.split('\n').length <= commentLinesMax, `Expected at most ${commentLinesMax} lines`)
    .meta({ description: 'Plain text; control characters and the like are removed' }),
  show_position: z
    .boolean()
    .optional()
    .meta({ description: "Whether others see the author's contracts in the event beside it" }),
})

/** The query of `DELETE /events/:code/comments/:number`. */
export const ownCommentQuery = z.object({ userid: userIdText })

/** The body of `POST /events/:code/comments/:number/hide`. */
export const hidingSchema = z.strictObject({
  reason: storedText
    .transform(plainText)
    .refine(
      text => text.length >= 1 && text.length <= noteLengthMax,
      `Expected 1 to ${noteLengthMax} characters`,
    )
    .meta({ description: 'Kept in the audit log; operators see it beside the comment' }),
})

/** The query of `GET /comments`. */
export const commentListQuery = z.object({
  q: storedText
    .max(LIMITS.searchLengthMax, `Expected at most ${LIMITS.searchLengthMax} characters`)
    .optional()
    .meta({ description: 'Part of the text, in any case' }),
  userid: userIdText.optional().meta({ description: 'Only comments of this user' }),
  status: z
    .enum(['visible', 'hidden'])
    .optional()
    .meta({ description: 'Only comments that everybody sees, or only hidden ones' }),
  ...pageQuery.shape,
})

const { eventCode, moment, contracts } = answerField

export const commentAnswer = z
  .object({
    id: z.int().min(1),
    event_id: eventCode,
    userid: z.string(),
    createdAt: moment,
    text: z.string().nullable().meta({ description: 'Null if hidden, except for operators' }),
    position: z
      .object({ yes: contracts, no: contracts })
      .nullable()
      .meta({ description: "The author's contracts now, if the author shows them" }),
    hidden: z
      .object({
        at: moment,
        by: z.string().nullable().meta({ description: '`token` or `account:<name>`' }),
        reason: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'Set if an operator has hidden it; who did and why is for operators' }),
  })
  .meta({ id: 'Comment' })

export type CommentAnswer = Checked<Comment, Same<Comment, z.output<typeof commentAnswer>>>

export const listedCommentAnswer = z
  .object({ ...commentAnswer.shape, title: z.string().meta({ description: 'The title of the event' }) })
  .meta({ id: 'ListedComment' })

export type ListedCommentAnswer = Checked<
  ListedComment,
  Same<ListedComment, z.output<typeof listedCommentAnswer>>
>
