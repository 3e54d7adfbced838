import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface ModalProps {
  readonly class: string
  /** Called when the user closes the dialog, not when its component goes. */
  readonly onClose: () => void
  /** A tap beside the dialog closes it, in browsers that know this. */
  readonly closesOutside?: boolean
  readonly 'aria-label'?: string
  readonly 'aria-labelledby'?: string
  readonly children: ComponentChildren
}

/** A modal dialog that is open as long as its component is there. */
export function Modal({ onClose, closesOutside = false, ...rest }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOver = useRef(false)
  // In the same turn as the click: later, the first keys would go to the page behind.
  useLayoutEffect(() => {
    const shown = dialog.current
    if (closesOutside) shown?.setAttribute('closedby', 'any')
    shown?.showModal()
    return () => {
      isOver.current = true
      // Closing, rather than removing, gives the focus back to where it was.
      shown?.close()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      onClose={() => {
        if (!isOver.current) onClose()
      }}
      {...rest}
    />
  )
}
