import { useRef } from 'preact/hooks'

/** A figure that changes: each change flashes once and rolls in, unless the reader wants no motion. */
export function LiveText({ text }: { readonly text: string }) {
  const shown = useRef({ text, changes: 0 })
  if (shown.current.text !== text) shown.current = { text, changes: shown.current.changes + 1 }
  const { changes } = shown.current
  // Another key makes another element, whose animation begins.
  return (
    <span key={changes} class={changes === 0 ? 'live-text' : 'live-text is-new'}>
      {text}
    </span>
  )
}
