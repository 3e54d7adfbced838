/** An event of the default namespace, in version 5 of Socket.IO's protocol. */
const EVENT = '2'

/**
 * Encodes a message as a Socket.IO event: its name, its data, and any other fields, such as `id`, as a third
 * part.
 */
export function packetOf(text: string): string {
  const { event, data, ...rest } = JSON.parse(text) as Readonly<Record<string, unknown>>
  const hasMore = Object.keys(rest).length > 0
  return EVENT + JSON.stringify(hasMore ? [event, data, rest] : [event, data])
}
