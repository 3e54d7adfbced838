/** The most users whom one comment mentions; further names stay text. */
const MENTIONS_MAX = 5
/** The most names that are looked up, whether or not they are of users. */
const NAMES_MAX = 20
/** Matches `@name`, but not within a word or an e-mail address. Joiners are part of words in some scripts. */
const NAME = /(?<![\p{L}\p{M}\p{N}._@-])@([\p{L}\p{M}\p{N}\p{Join_Control}._-]{1,128})/gu

/**
 * Returns the users whom a text mentions, each once and without its author.
 *
 * @param userNamed returns the user id that a written name means; undefined if there is no such user
 */
export function mentionedUsers(
  text: string,
  author: string,
  userNamed: (name: string) => string | undefined,
): readonly string[] {
  const users = new Set<string>()
  for (const [, written = ''] of [...text.matchAll(NAME)].slice(0, NAMES_MAX)) {
    // A name may end with a full stop, and so may a sentence.
    const user = userNamed(written) ?? userNamed(written.replace(/[._-]+$/, ''))
    if (user !== undefined && user !== author) users.add(user)
    if (users.size === MENTIONS_MAX) break
  }
  return [...users]
}
