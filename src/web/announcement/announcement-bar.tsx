import { signal } from '@preact/signals'
import type { Announcement } from '../../api/site/announcement-shape.js'
import { remember, remembered } from '../kit/browser-memory.js'
import { Icon } from '../kit/icons.jsx'
import { t } from '../texts/kit.js'
import { isHindi } from '../texts/language.js'
import { announcement } from './announcement.js'

const dismissed = signal(remembered('announcement'))

/** Shows the announcement until this reader dismisses it; a later one appears again. */
export function AnnouncementBar() {
  const shown = announcement.value
  const isShown = shown !== undefined && dismissed.value !== nameOf(shown)
  const dismiss = () => {
    if (shown === undefined) return
    remember('announcement', nameOf(shown))
    dismissed.value = nameOf(shown)
  }
  return <div role="status">{isShown && <AnnouncementBox {...shown} onDismiss={dismiss} />}</div>
}

type AnnouncementBoxProps = Pick<Announcement, 'kind' | 'en' | 'hi'> & {
  /** Undefined in a preview. */
  readonly onDismiss?: () => void
}

/** The announcement as readers see it, in their language if it was written in it. */
export function AnnouncementBox({ kind, en, hi, onDismiss }: AnnouncementBoxProps) {
  const isEnglish = !isHindi || hi === null
  return (
    <div class={`announcement announcement-${kind}`}>
      <div class="announcement-line">
        <p lang={isEnglish ? 'en' : 'hi'}>
          <b class="unseen">{t.announcements[kind]}</b> {isEnglish ? en : hi}
        </p>
        {onDismiss !== undefined && (
          <button
            type="button"
            class="button button-icon"
            aria-label={t.dismissAnnouncement}
            onClick={onDismiss}
          >
            <Icon shape="close" />
          </button>
        )}
      </div>
    </div>
  )
}

/** Names an announcement; its number alone could come again after an older backup was restored. */
function nameOf({ id, createdAt }: Announcement): string {
  return `${id} ${createdAt}`
}
