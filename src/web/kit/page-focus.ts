import { useEffect, useRef } from 'preact/hooks'

/** Moves focus to the content after navigation, as a page load would for screen readers and keyboards. */
export function useFocusOnPage(at: unknown): void {
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) document.getElementById('content')?.focus({ preventScroll: true })
    isFirst.current = false
  }, [at])
}
