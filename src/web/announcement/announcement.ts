import { effect, signal } from '@preact/signals'
import type { Announcement } from '../../api/site/announcement-shape.js'
import { path } from '../kit/address.js'
import { isMembersOnly } from '../kit/page-site.js'
import { nowMs } from '../kit/browser-clock.js'

/** How old it may be while the page stays where it is, and when the reader goes to another. */
const AGE_MAX_MS = { here: 180_000, elsewhere: 20_000 }

export const announcement = signal<Announcement | undefined>(
  announcementIn(document.documentElement.dataset.announcement),
)

/** Asked for at once where only members read: the page is the same for everyone, and comes without it. */
let askedAt = isMembersOnly ? Number.NEGATIVE_INFINITY : nowMs()

/** Keeps the announcement fresh: every few minutes while the page is seen, and on navigation. */
export function followAnnouncement(): void {
  const whenSeen = () => {
    if (document.visibilityState === 'visible') refresh(AGE_MAX_MS.here)
  }
  setInterval(whenSeen, AGE_MAX_MS.here)
  document.addEventListener('visibilitychange', whenSeen)
  effect(() => {
    void path.value
    refresh(AGE_MAX_MS.elsewhere)
  })
}

/** Asks again if the last time is long ago. Without an answer, what is known stays. */
function refresh(ageMaxMs: number): void {
  if (nowMs() - askedAt < ageMaxMs) return
  askedAt = nowMs()
  void fetch('/', { headers: { Accept: 'application/json' } })
    .then(async answer => {
      if (!answer.ok) return
      const { additional } = (await answer.json()) as {
        readonly additional?: { readonly announcement?: Announcement }
      }
      announcement.value = additional?.announcement
    })
    .catch(() => {})
}

function announcementIn(written: string | undefined): Announcement | undefined {
  return written === undefined ? undefined : (JSON.parse(written) as Announcement)
}
