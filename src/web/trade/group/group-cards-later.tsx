import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

type Cards = typeof import('./group-cards.jsx').GroupCards

/** Cards of groups; their code is loaded once there is a group. */
export function GroupCardsLater({ codes }: { readonly codes: readonly string[] }) {
  const cards = useSignal<Cards | undefined>(undefined)
  useEffect(() => {
    import('./group-cards.jsx').then(
      loaded => {
        cards.value = loaded.GroupCards
      },
      // The pages of the outcomes lead to the group as well.
      () => {},
    )
  }, [])
  const Shown = cards.value
  return Shown === undefined ? null : <Shown codes={codes} />
}
