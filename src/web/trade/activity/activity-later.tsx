import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../../texts/frame.js'

type Rail = typeof import('./activity-rail.jsx').ActivityRail

/** The latest trades of people, in room that is kept for them; loaded after everything else. */
export function ActivityLater({ code }: { readonly code?: string }) {
  const rail = useSignal<Rail | undefined>(undefined)
  useEffect(() => {
    const timer = setTimeout(() => {
      // Without it the page lacks nothing that one trades by.
      import('./activity-rail.jsx').then(
        loaded => {
          rail.value = loaded.ActivityRail
        },
        () => {},
      )
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [])
  const Shown = rail.value
  return (
    <section class="activity card" aria-label={t.activity}>
      {Shown !== undefined && <Shown code={code} />}
    </section>
  )
}

/** Lets the page be drawn and answer its first clicks before. */
const PAUSE_MS = 600
