import { ApiError } from '../../api/api-error.js'
import { REFUSED } from '../../api/refusal-texts.js'

/** Returns the comment's number in an address or a cursor; undefined for other texts. */
export function commentNumber(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

/** Returns the refusal of a comment that is not there. */
export function commentNotFound(): ApiError {
  return new ApiError(404, REFUSED.commentNotFound, 'comment_not_found')
}
