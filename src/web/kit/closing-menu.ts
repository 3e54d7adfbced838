import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Returns the ref of a menu that a touch elsewhere, a key elsewhere, and Escape close. */
export function useClosingMenu(): RefObject<HTMLDetailsElement | null> {
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const closeOutside = (event: Event) => {
      const isInside = menu.current?.contains(event.target as Node) === true
      const isKey = event instanceof KeyboardEvent && event.key === 'Escape'
      if (menu.current !== null && (!isInside || isKey)) menu.current.open = false
    }
    const kinds = ['pointerdown', 'keydown'] as const
    for (const kind of kinds) document.addEventListener(kind, closeOutside)
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, closeOutside)
    }
  }, [])
  return menu
}
