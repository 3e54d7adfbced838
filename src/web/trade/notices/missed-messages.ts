import type { UserMessage } from '../../../client/shapes.js'

/** A socket as browsers have it. */
export interface Socket {
  onopen: (() => void) | null
  onmessage: ((event: { readonly data: unknown }) => void) | null
  onclose: (() => void) | null
  onerror: (() => void) | null
  send(text: string): void
  close(): void
}

interface Wanted {
  readonly userid: string
  /** The last message that is known. */
  readonly after: number
  /** The last one wanted. */
  readonly upTo: number
}

/**
 * Reads the messages of a user’s channel after one number up to another, over a socket of its own, and hands
 * each to `take`, in order. Resolves to the last one read: less than wanted if the connection ended early or
 * the exchange starts over.
 */
export function readMissed(
  open: () => Socket,
  { userid, after, upTo }: Wanted,
  take: (message: UserMessage) => void,
): Promise<number> {
  return new Promise(resolve => {
    const socket = open()
    let last = after
    const end = () => {
      socket.onmessage = socket.onclose = socket.onerror = null
      socket.close()
      resolve(last)
    }
    socket.onopen = () =>
      socket.send(JSON.stringify({ event: 'subscribe_user', data: userid, from_seq: after }))
    socket.onmessage = ({ data }) => {
      const message = messageIn(data)
      if (message === undefined) return
      if (message === 'refused' || message.user_seq !== last + 1) return end()
      take(message)
      last = message.user_seq
      if (last >= upTo) end()
    }
    socket.onclose = end
    socket.onerror = end
  })
}

/** Returns a numbered message of the channel; undefined for others. */
function messageIn(data: unknown): UserMessage | 'refused' | undefined {
  const { event, data: content } = JSON.parse(String(data)) as { event?: string; data?: UserMessage }
  if (event === 'error') return 'refused'
  return event?.startsWith('user_') === true && typeof content?.user_seq === 'number' ? content : undefined
}
