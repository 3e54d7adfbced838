import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { errorText } from '../../kit/error-text.js'

type Page = typeof import('./group-page.jsx')

/** The page of a group; its code is loaded when it is first opened. */
export function GroupLater({ code }: { readonly code: string }) {
  const page = useSignal<Page | undefined>(undefined)
  const fault = useSignal('')
  useEffect(() => {
    import('./group-page.jsx').then(
      loaded => {
        page.value = loaded
      },
      error => {
        fault.value = errorText(error)
      },
    )
  }, [])
  const Shown = page.value?.GroupPage
  if (Shown !== undefined) return <Shown code={code} />
  return (
    <p class="empty" aria-busy={fault.value === ''}>
      {fault.value}
    </p>
  )
}
