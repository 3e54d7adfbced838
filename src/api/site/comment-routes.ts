import { z } from 'zod'
import { DONE } from '../answer-texts.js'
import { answerField } from '../fields.js'
import { LIMITS } from '../limits.js'
import { pageQuery } from '../page-query.js'
import { FULL, REFUSED } from '../refusal-texts.js'
import {
  commentAnswer,
  commentListQuery,
  commentSchema,
  hidingSchema,
  listedCommentAnswer,
  ownCommentQuery,
} from './comment-schema.js'
import { PAGE_FAULTS, route } from '../route.js'

const comment = {
  id: 7,
  event_id: '1000001',
  userid: 'asha',
  createdAt: '2026-02-01T09:31:00.000Z',
  text: 'The forecast says rain.',
  position: { yes: 4, no: 0 },
  hidden: null,
}
const hidden = { at: '2026-02-01T09:40:00.000Z', by: 'account:priya', reason: 'Off topic' }
const listed = { ...comment, hidden, title: 'Will it rain on Sunday?' }
const NO_EVENT = { 404: [REFUSED.eventNotFound] }
const NO_COMMENT = { 404: [REFUSED.commentNotFound, REFUSED.eventNotFound] }

const commentPage = z.object({ comments: z.array(commentAnswer), next_cursor: answerField.nextCursor })

/** Comments under events. */
export const commentRoutes = {
  listComments: route({
    id: 'listComments',
    method: 'GET',
    path: '/events/:code/comments',
    needs: 'markets',
    group: 'People',
    summary: 'List the comments under an event, newest first',
    description:
      'Texts are plain text: escape them. A comment that an operator has hidden keeps its place, ' +
      'without its text.',
    query: pageQuery,
    querySample: { limit: 100, cursor: '7' },
    answers: [
      {
        code: 200,
        message: DONE.commentsFetched,
        additional: commentPage,
        samples: { 'the last page': { additional: { comments: [comment], next_cursor: null } } },
      },
    ],
    refusals: { ...NO_EVENT, 422: PAGE_FAULTS },
  }),
  listMentions: route({
    id: 'listMentions',
    method: 'GET',
    path: '/portfolio/:userid/mentions',
    needs: 'read',
    group: 'People',
    summary: 'List the comments that mention a user, newest first',
    description: 'Hidden comments are left out. A page can be short and still have a next_cursor.',
    query: pageQuery,
    querySample: { limit: 100, cursor: '7' },
    answers: [
      {
        code: 200,
        message: DONE.commentsFetched,
        additional: commentPage,
        samples: {
          'the last page': {
            additional: { comments: [{ ...comment, text: '@ravi, rain?' }], next_cursor: null },
          },
        },
      },
    ],
    refusals: { 422: PAGE_FAULTS },
  }),
  postComment: route({
    id: 'postComment',
    method: 'POST',
    path: '/events/:code/comments',
    needs: 'trade',
    cost: { kind: 'comments', points: 1 },
    group: 'People',
    summary: 'Post a comment under an event',
    description: 'Up to 5 users whom it names as @username find it among their mentions.',
    body: {
      schema: commentSchema,
      samples: { comment: { userid: 'asha', text: comment.text, show_position: true } },
    },
    answers: [
      {
        code: 201,
        message: DONE.commentPosted,
        additional: commentAnswer,
        samples: { comment: { additional: comment } },
      },
    ],
    refusals: {
      ...NO_EVENT,
      409: [FULL.comments_full],
      422: [`text: Expected 1 to ${LIMITS.commentLengthMax} characters`],
    },
  }),
  deleteComment: route({
    id: 'deleteComment',
    method: 'DELETE',
    path: '/events/:code/comments/:number',
    needs: 'trade',
    group: 'People',
    summary: "Delete one's own comment",
    description: 'Operators delete those of others by their `userid`; that is in the audit log.',
    query: ownCommentQuery,
    querySample: { userid: 'asha' },
    answers: [{ code: 200, message: DONE.commentDeleted, samples: { deleted: {} } }],
    refusals: { ...NO_COMMENT, 422: ['userid: Required'] },
  }),
  listAllComments: route({
    id: 'listAllComments',
    method: 'GET',
    path: '/comments',
    needs: 'operator:read',
    cost: { kind: 'reads', points: 5 },
    group: 'Operator',
    summary: 'List the comments under all events, newest first',
    description:
      'With the texts of hidden ones. A search reads 2,000 comments a page: a page may be short or empty ' +
      'and still have a next.',
    query: commentListQuery,
    querySample: { q: 'rain', userid: 'asha', status: 'hidden', limit: 100, cursor: '7' },
    answers: [
      {
        code: 200,
        message: DONE.commentsFetched,
        additional: z.object({
          comments: z.array(listedCommentAnswer),
          next_cursor: answerField.nextCursor,
        }),
        samples: { 'the last page': { additional: { comments: [listed], next_cursor: null } } },
      },
    ],
    refusals: { 422: PAGE_FAULTS },
  }),
  removeComment: route({
    id: 'removeComment',
    method: 'DELETE',
    path: '/comments/:number',
    needs: 'operator:operate',
    group: 'Operator',
    summary: 'Delete a comment of any user',
    description: 'The audit log keeps its author and its first words.',
    answers: [{ code: 200, message: DONE.commentDeleted, samples: { deleted: {} } }],
    refusals: { 404: [REFUSED.commentNotFound] },
  }),
  hideComment: route({
    id: 'hideComment',
    method: 'POST',
    path: '/events/:code/comments/:number/hide',
    needs: 'operator:operate',
    group: 'Operator',
    summary: 'Hide a comment',
    description: 'The reason is kept in the audit log, and operators see it beside the comment.',
    body: { schema: hidingSchema, samples: { reason: { reason: 'Off topic' } } },
    answers: [
      {
        code: 200,
        message: DONE.commentHidden,
        additional: commentAnswer,
        samples: { hidden: { additional: { ...comment, hidden } } },
      },
    ],
    refusals: { ...NO_COMMENT, 422: [`reason: Expected 1 to ${LIMITS.noteLengthMax} characters`] },
  }),
  unhideComment: route({
    id: 'unhideComment',
    method: 'POST',
    path: '/events/:code/comments/:number/unhide',
    needs: 'operator:operate',
    group: 'Operator',
    summary: 'Show a hidden comment again',
    answers: [
      {
        code: 200,
        message: DONE.commentShown,
        additional: commentAnswer,
        samples: { shown: { additional: comment } },
      },
    ],
    refusals: NO_COMMENT,
  }),
}
