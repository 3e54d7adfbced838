import { useEffect, useRef } from 'preact/hooks'

/** Who reads with ears or keys begins at the top of a page they went to, as if it had been loaded. */
export function useFocusOnPage(at: unknown): void {
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) document.getElementById('content')?.focus({ preventScroll: true })
    isFirst.current = false
  }, [at])
}
