import type { Comment } from '../../../client/shapes.js'
import { sharedStorage } from '../../kit/browser-memory.js'
import { exchange } from '../exchange-client.js'
import { newMentions } from './new-mentions.js'

/** No channel of a user carries comments, so that they are asked for. */
const LOOK_MS = 60_000
/** The newest that are shown after a long time away. */
const MENTIONS_MAX = 20

/** Asks now and then whether comments mention a user; returns how to stop. */
export function watchMentions(userid: string, onMention: (comment: Comment) => void): () => void {
  const key = `raay.mentions.${userid}`
  let isOver = false
  const look = async () => {
    const query = { userid, limit: MENTIONS_MAX }
    const found = await exchange.site.fetchMentions(query).catch(() => undefined)
    if (isOver || found === undefined) return
    // Read and written in one turn, so that of several tabs one tells.
    const fresh = newMentions(found, sharedStorage.read(key))
    sharedStorage.write(key, String(found[0]?.id ?? 0))
    for (const comment of fresh) onMention(comment)
  }
  void look()
  const timer = setInterval(look, LOOK_MS)
  return () => {
    isOver = true
    clearInterval(timer)
  }
}
