import { signal } from '@preact/signals'
import { locale } from '../../texts/language.js'
import { titleOf } from '../titles.js'
import type { Notice } from './notice.js'
import { groupOf } from './notice.js'
import { noticeSettings } from './notice-settings.js'
import { noticeText } from './notice-text.js'
import type { ToastRow } from './toast-row.js'
import { withoutToast, withToast } from './toast-row.js'

const TONE_HZ = 660
const TONE_SECONDS = 0.15
const LOUDNESS = 0.08

/** The toasts on the screen. */
export const toasts = signal<ToastRow>({ shown: [], more: 0 })

/** Shows what has just happened, in the ways that the user has chosen. */
export function announce(notice: Notice): void {
  const settings = noticeSettings.peek()
  if (!settings[groupOf(notice)]) return
  toasts.value = withToast(toasts.peek(), notice)
  if (settings.sound) playTone()
  // Last, since browsers of Android throw at it.
  if (document.hidden && settings.browser) notifyBrowser(notice)
}

/** Takes a toast from the screen. */
export function dismissToast(seq: number): void {
  toasts.value = withoutToast(toasts.peek(), seq)
}

function notifyBrowser(notice: Notice): void {
  if (Notification.permission !== 'granted') return
  // The tag keeps several tabs from saying the same thing.
  const shown = new Notification(titleOf(notice.eventId), {
    body: noticeText(notice),
    tag: `raay-${notice.seq}`,
    lang: locale,
  })
  shown.onclick = () => {
    focus()
    shown.close()
  }
}

function playTone(): void {
  const context = new AudioContext()
  const tone = context.createOscillator()
  const volume = context.createGain()
  tone.frequency.value = TONE_HZ
  volume.gain.setValueAtTime(LOUDNESS, context.currentTime)
  volume.gain.exponentialRampToValueAtTime(LOUDNESS / 100, context.currentTime + TONE_SECONDS)
  tone.connect(volume).connect(context.destination)
  tone.onended = () => void context.close()
  tone.start()
  tone.stop(context.currentTime + TONE_SECONDS)
}
