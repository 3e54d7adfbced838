import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ListedMarket } from '../../../client/shapes.js'
import { MarketRow } from './market-row.jsx'

/** Rows this near to the screen are drawn already. */
const MARGIN = '900px'
const ROW_HEIGHT = 78
/** Heights of blocks as they were drawn, by their first market, so that Back finds the same place. */
const heights = new Map<string, number>()

/** A part of the list. Its rows are drawn only near the screen; elsewhere it is as high as they were. */
export function RowBlock({ markets }: { readonly markets: readonly ListedMarket[] }) {
  const block = useRef<HTMLUListElement>(null)
  const isNear = useSignal(false)
  const key = markets[0]?.event_id ?? ''
  useLayoutEffect(() => {
    const element = block.current
    if (element === null) return
    element.style.minHeight = `${heights.get(key) ?? markets.length * ROW_HEIGHT}px`
    const observer = new IntersectionObserver(
      entries => {
        const isHere = entries.at(-1)?.isIntersecting === true
        if (!isHere && isNear.value) {
          heights.set(key, element.offsetHeight)
          element.style.minHeight = `${element.offsetHeight}px`
        }
        isNear.value = isHere
      },
      { rootMargin: MARGIN },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [key, markets.length, isNear])
  useLayoutEffect(() => {
    // Rows may be lower than was guessed.
    if (isNear.value && block.current !== null) block.current.style.minHeight = ''
  })
  return (
    <ul class="market-block" ref={block}>
      {isNear.value && markets.map(market => <MarketRow key={market.event_id} market={market} />)}
    </ul>
  )
}
