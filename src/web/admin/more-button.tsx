import type { Signal } from '@preact/signals'

interface MoreButtonProps {
  readonly words: string
  /** The number of rows shown. */
  readonly limit: Signal<number>
  readonly step: number
}

/** A button that shows more rows of a list. */
export function MoreButton({ words, limit, step }: MoreButtonProps) {
  const showMore = () => {
    limit.value += step
  }
  return (
    <p class="list-end">
      <button type="button" class="button" onClick={showMore}>
        {words}
      </button>
    </p>
  )
}
