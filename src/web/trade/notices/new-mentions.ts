import type { Comment } from '../../../client/shapes.js'

/**
 * Returns the comments that came after the newest one known, oldest first; none in a browser that knows none
 * yet, since they may be old.
 *
 * @param known the id of the newest one, as stored
 */
export function newMentions<Mention extends Pick<Comment, 'id'>>(
  found: readonly Mention[],
  known: string | undefined,
): readonly Mention[] {
  if (known === undefined || !/^\d+$/.test(known)) return []
  return found.filter(({ id }) => id > Number(known)).toReversed()
}
