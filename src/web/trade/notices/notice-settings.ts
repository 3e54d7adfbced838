import { computed, signal } from '@preact/signals'
import { remember, remembered } from '../../kit/browser-memory.js'
import { changeSetting, settings } from '../settings/page-settings.js'
import type { NoticeGroup } from './notice.js'
import type { NoticeWays } from './stored-settings.js'
import { waysIn } from './stored-settings.js'

/** The groups of notices that a user wants, and the ways to show them. */
export type NoticeSettings = Readonly<Record<NoticeGroup, boolean>> & NoticeWays

const ways = signal(waysIn(remembered('notice-settings')))

/** The groups that the user wants in any browser, and the ways to show them in this one. */
export const noticeSettings = computed<NoticeSettings>(() => {
  const { notices_fills: fills, notices_endings: endings } = settings.value
  const { notices_results: results, notices_mentions: mentions } = settings.value
  return { fills, endings, results, mentions, ...ways.value }
})

/** Changes a setting. Browser notifications stay off unless the browser allows them. */
export async function changeNotices(name: keyof NoticeSettings, isOn: boolean): Promise<void> {
  if (name !== 'browser' && name !== 'sound') return changeSetting(`notices_${name}`, isOn)
  const allowed = name === 'browser' && isOn ? await mayNotify() : isOn
  ways.value = { ...ways.peek(), [name]: allowed }
  remember('notice-settings', JSON.stringify(ways.peek()))
}

/** Returns whether browser notifications can be offered here at all, and whether they were refused. */
export function notificationState(): 'absent' | 'refused' | 'possible' {
  if (typeof Notification === 'undefined' || !isSecureContext) return 'absent'
  return Notification.permission === 'denied' ? 'refused' : 'possible'
}

async function mayNotify(): Promise<boolean> {
  return notificationState() === 'possible' && (await Notification.requestPermission()) === 'granted'
}
