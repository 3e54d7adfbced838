/** An event of the default namespace, in version 5 of Socket.IO's protocol. */
const EVENT = '2'

/**
 * A message of ours as a Socket.IO event: its name, its data, and what else there is, such as the `id`, as a
 * third part.
 */
export function packetOf(text: string): string {
  const { event, data, ...rest } = JSON.parse(text) as Readonly<Record<string, unknown>>
  const hasMore = Object.keys(rest).length > 0
  return EVENT + JSON.stringify(hasMore ? [event, data, rest] : [event, data])
}
