import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/notices.js'
import { MarketLink } from '../market-link.jsx'
import { userId } from '../session.js'
import type { Notice } from './notice.js'
import { unseenIn } from './notice-log.js'
import { noticeText } from './notice-text.js'
import { markSeen, noticeLog } from './notices.js'
import type { NoticeSettings } from './notice-settings.js'
import { changeNotices, noticeSettings, notificationState } from './notice-settings.js'

const COUNT_MAX = 9
/** These may close the list; the focus too, since it would move on beneath it. */
const ENDINGS = ['click', 'keydown', 'focusin']

/** The bell in the header: what happened since the last visit, and the settings of notices. */
export function Bell() {
  const isOpen = useSignal(false)
  const frame = useRef<HTMLDivElement>(null)
  const unseen = noticeLog.value === undefined ? 0 : unseenIn(noticeLog.value)
  /** Those that were new when the list was opened stay marked until it is closed. */
  const newSince = useSignal(0)
  useEffect(() => {
    const close = (event: Event) => {
      const isElsewhere = !(event.target instanceof Node && frame.current?.contains(event.target))
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape'
      const isLink = event.target instanceof Element && event.target.closest('.bell-list a') !== null
      const hasChosen = isLink && event.type === 'click'
      const hasLeft = isElsewhere && event.type !== 'keydown'
      if (!isOpen.peek() || !(isEscape || hasChosen || hasLeft)) return
      isOpen.value = false
      if (isEscape) frame.current?.querySelector('button')?.focus()
    }
    for (const type of ENDINGS) document.addEventListener(type, close)
    return () => {
      for (const type of ENDINGS) document.removeEventListener(type, close)
    }
  }, [])
  if (userId.value === undefined) return null
  const toggle = () => {
    newSince.value = noticeLog.peek()?.seenSeq ?? 0
    isOpen.value = !isOpen.value
    if (isOpen.value) markSeen()
  }
  return (
    <div class="bell" ref={frame}>
      <button
        type="button"
        class="button button-icon bell-button"
        aria-label={t.bell(unseen)}
        aria-expanded={isOpen.value}
        onClick={toggle}
      >
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M6 17v-6a6 6 0 1 1 12 0v6l1.5 2h-15L6 17Zm4.5 4h3" />
        </svg>
        {unseen > 0 && <span class="bell-count">{unseen > COUNT_MAX ? `${COUNT_MAX}+` : unseen}</span>}
      </button>
      {isOpen.value && (
        <section class="card bell-panel" aria-label={t.notifications}>
          <NoticeList notices={noticeLog.value?.notices ?? []} newSince={newSince.value} />
          <NoticeChoices />
        </section>
      )}
    </div>
  )
}

interface NoticeListProps {
  readonly notices: readonly Notice[]
  readonly newSince: number
}

function NoticeList({ notices, newSince }: NoticeListProps) {
  return (
    <>
      <div class="card-head">
        <h2>{t.notifications}</h2>
        <a href="/portfolio/history">{t.allHistory}</a>
      </div>
      {notices.length === 0 ? (
        <p class="empty">{t.none}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        <ol class="bell-list" tabIndex={0} aria-label={t.notifications}>
          {notices.map((notice, place) => (
            <li key={`${notice.seq}-${notice.kind}-${place}`} class={`notice-of-${notice.kind}`}>
              <p>
                {notice.seq > newSince && <span class="tag tag-new">{t.isNew}</span>}
                {noticeText(notice)}
              </p>
              <MarketLink eventId={notice.eventId} />
              <small>{dayTimeText(notice.at)}</small>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

const NAMES = [
  'fills',
  'endings',
  'results',
  'mentions',
  'browser',
  'sound',
] as const satisfies (keyof NoticeSettings)[]

/** The settings of notices, as checkboxes. */
function NoticeChoices() {
  const settings = noticeSettings.value
  const state = notificationState()
  return (
    <details class="bell-settings">
      <summary>{t.settings}</summary>
      {NAMES.map(name => (
        <label key={name}>
          <input
            type="checkbox"
            checked={settings[name]}
            disabled={name === 'browser' && state !== 'possible'}
            onChange={event => {
              const box = event.currentTarget
              void changeNotices(name, box.checked).then(() => {
                box.checked = noticeSettings.peek()[name]
              })
            }}
          />
          <span>{t.wants[name]}</span>
        </label>
      ))}
      {state !== 'possible' && <p class="faint">{state === 'refused' ? t.refused : t.absent}</p>}
    </details>
  )
}
