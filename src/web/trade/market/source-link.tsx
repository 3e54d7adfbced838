import type { Market } from '../../../client/shapes.js'

/** The name of an event’s source, linked to its address if it has one. */
export function SourceLink({ market }: { readonly market: Pick<Market, 'sot' | 'source_url'> }) {
  const { sot, source_url } = market
  // Older events may have any text as their address.
  if (source_url === null || !/^https?:/.test(source_url)) return <>{sot}</>
  return (
    <a href={source_url} rel="noopener noreferrer nofollow" target="_blank">
      {sot}
    </a>
  )
}
