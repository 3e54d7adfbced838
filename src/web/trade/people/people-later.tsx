import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { errorText } from '../../kit/error-text.js'
import { t } from '../../texts/people.js'

type Page = typeof import('./people-page.jsx')

/** The leaderboard or a profile; its code is loaded when it is first opened. */
export function PeopleLater({ userid }: { readonly userid: string | undefined }) {
  const page = useSignal<Page | undefined>(undefined)
  const fault = useSignal('')
  useEffect(() => {
    import('./people-page.jsx').then(
      loaded => {
        page.value = loaded
      },
      error => {
        fault.value = errorText(error)
      },
    )
  }, [])
  if (page.value === undefined) {
    return (
      <p class="empty" aria-busy={fault.value === ''}>
        {fault.value || t.loading}
      </p>
    )
  }
  const { PeoplePage } = page.value
  return <PeoplePage userid={userid} />
}
