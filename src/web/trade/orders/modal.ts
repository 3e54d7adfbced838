import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface Modal {
  readonly ref: RefObject<HTMLDialogElement | null>
  readonly onClose: () => void
}

/** Shows a dialog as long as its component is there; `onClose` hears of the user’s closing alone. */
export function useModal(onClose: () => void): Modal {
  const ref = useRef<HTMLDialogElement>(null)
  const isOver = useRef(false)
  useEffect(() => {
    const shown = ref.current
    // A tap beside the dialog closes it, in browsers that know this.
    shown?.setAttribute('closedby', 'any')
    shown?.showModal()
    return () => {
      isOver.current = true
      // Closing, rather than removing, gives the focus back to where it was.
      shown?.close()
    }
  }, [])
  return {
    ref,
    onClose: () => {
      if (!isOver.current) onClose()
    },
  }
}
