import type { Market } from '../../../client/shapes.js'

interface MarketPictureProps {
  /** `image` is an emoji, or the address of a picture on this exchange. */
  readonly market: Market & { readonly image?: string | null }
}

/** An event’s picture or emoji beside its title; nothing without one. */
export function MarketPicture({ market: { image } }: MarketPictureProps) {
  if (image === undefined || image === null) return null
  if (image.startsWith('/')) return <img class="market-picture" src={image} alt="" width="52" height="52" />
  return (
    <span class="market-picture" aria-hidden="true">
      {image}
    </span>
  )
}
