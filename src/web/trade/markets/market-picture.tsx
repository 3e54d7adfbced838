import { useSignal } from '@preact/signals'
import type { Market } from '../../../client/shapes.js'

interface MarketPictureProps {
  readonly market: Pick<Market, 'image'>
}

/** An event’s picture or emoji beside its title; nothing without one, or where its picture does not load. */
export function MarketPicture({ market: { image } }: MarketPictureProps) {
  const broken = useSignal('')
  if (image === null || image === broken.value) return null
  if (image.startsWith('/')) {
    return (
      <img
        class="market-picture"
        src={image}
        alt=""
        width="52"
        height="52"
        loading="lazy"
        decoding="async"
        onError={() => {
          broken.value = image
        }}
      />
    )
  }
  return (
    <span class="market-picture" aria-hidden="true">
      {image}
    </span>
  )
}
