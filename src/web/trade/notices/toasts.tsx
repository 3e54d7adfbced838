import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../texts/notices.js'
import { MarketLink } from '../market-link.jsx'
import { dismissToast, toasts } from './announcing.js'
import type { Notice } from './notice.js'
import { noticeText } from './notice-text.js'

const SHOWN_MS = 8000

/** Shows news for some seconds; screen readers hear it when they are free. */
export function Toasts() {
  const { shown, more } = toasts.value
  return (
    <div class="toasts" role="status" aria-live="polite" aria-relevant="additions">
      {shown.map(notice => (
        <Toast key={notice.seq} notice={notice} />
      ))}
      {more > 0 && <p class="toasts-more">{t.more(more)}</p>}
    </div>
  )
}

function Toast({ notice }: { readonly notice: Notice }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const stop = () => clearTimeout(timer.current)
  const start = () => {
    stop()
    timer.current = setTimeout(() => dismissToast(notice.seq), SHOWN_MS)
  }
  useEffect(() => {
    start()
    return stop
  }, [])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only stays while it is being read
    <div
      class={`toast notice-of-${notice.kind}`}
      onMouseEnter={stop}
      onMouseLeave={start}
      onFocusCapture={stop}
      onBlurCapture={start}
    >
      <div>
        <p>{noticeText(notice)}</p>
        <MarketLink eventId={notice.eventId} />
      </div>
      <button
        type="button"
        class="button button-icon"
        aria-label={t.dismiss}
        onClick={() => dismissToast(notice.seq)}
      >
        ×
      </button>
    </div>
  )
}
