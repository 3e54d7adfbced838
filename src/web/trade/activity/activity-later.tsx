import { Later } from '../../kit/later.jsx'
import { t } from '../../texts/frame.js'

const PAUSE_MS = 600
const rail = () => import('./activity-rail.jsx').then(({ ActivityRail }) => ActivityRail)

/** The latest trades of people, in room that is kept for them; loaded after everything else. */
export function ActivityLater({ code }: { readonly code?: string }) {
  return (
    <section class="activity card" aria-label={t.activity}>
      <Later load={rail} props={{ code }} pauseMs={PAUSE_MS} />
    </section>
  )
}
