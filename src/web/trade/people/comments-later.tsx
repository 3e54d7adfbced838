import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

type Shown = typeof import('./comments.jsx').Comments

/** The comments under a market; their code is loaded once the market is shown. */
export function CommentsLater({ code }: { readonly code: string }) {
  const comments = useSignal<Shown | undefined>(undefined)
  useEffect(() => {
    import('./comments.jsx').then(
      loaded => {
        comments.value = loaded.Comments
      },
      // One trades without them.
      () => {},
    )
  }, [])
  const Loaded = comments.value
  return Loaded === undefined ? null : <Loaded code={code} />
}
