import { useSignal } from '@preact/signals'
import type { Market } from '../../../client/shapes.js'
import { CategoryArt } from './category-art.jsx'

interface MarketPictureProps {
  readonly market: Pick<Market, 'image' | 'category' | 'title'>
}

/** An event’s picture or emoji beside its title; its category’s without one, or where it does not load. */
export function MarketPicture({ market: { image, category, title } }: MarketPictureProps) {
  const broken = useSignal('')
  if (image === null || image === broken.value) return <CategoryArt category={category} title={title} />
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
