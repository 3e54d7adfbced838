import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ListedMarket } from '../../../client/shapes.js'
import { MarketRow } from './market-row.jsx'

/** Rows this near to the screen are drawn already. */
const MARGIN = '900px'
/** Heights of blocks as they were drawn, by their first market, so that Back finds the same place. */
const heights = new Map<string, number>()
/** Blocks that wait to be drawn, in their order. */
const waiting: (() => void)[] = []
let isAsked = false

/** A part of the list. Its rows are drawn only near the screen; elsewhere it is as high as they were. */
export function RowBlock({ markets }: { readonly markets: readonly ListedMarket[] }) {
  const block = useRef<HTMLUListElement>(null)
  const isNear = useSignal(false)
  const key = markets[0]?.event_id ?? ''
  useLayoutEffect(() => {
    const element = block.current
    if (element === null) return
    const known = heights.get(key)
    element.style.minHeight = known === undefined ? `calc(${markets.length} * var(--row))` : `${known}px`
    let cancel = () => {}
    const observer = new IntersectionObserver(
      entries => {
        const isHere = entries.at(-1)?.isIntersecting === true
        cancel()
        if (isHere) {
          cancel = drawInTurn(() => {
            isNear.value = true
          })
          return
        }
        if (isNear.value) {
          heights.set(key, element.offsetHeight)
          element.style.minHeight = `${element.offsetHeight}px`
        }
        isNear.value = false
      },
      { rootMargin: MARGIN },
    )
    observer.observe(element)
    return () => {
      cancel()
      observer.disconnect()
    }
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

/**
 * Draws a block in a frame of its own, so that many blocks together make no long task. Returns how to cancel.
 */
function drawInTurn(draw: () => void): () => void {
  waiting.push(draw)
  askForFrame()
  return () => {
    const place = waiting.indexOf(draw)
    if (place >= 0) waiting.splice(place, 1)
  }
}

function askForFrame(): void {
  if (isAsked) return
  isAsked = true
  requestAnimationFrame(() => {
    isAsked = false
    waiting.shift()?.()
    if (waiting.length > 0) askForFrame()
  })
}
