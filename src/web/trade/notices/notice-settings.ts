import { signal } from '@preact/signals'
import { remember, remembered } from '../../kit/browser-memory.js'
import type { NoticeSettings } from './stored-settings.js'
import { settingsIn } from './stored-settings.js'

/** The settings of this browser. */
export const noticeSettings = signal<NoticeSettings>(settingsIn(remembered('notice-settings')))

/** Changes a setting. Browser notifications stay off unless the browser allows them. */
export async function changeSetting(name: keyof NoticeSettings, isOn: boolean): Promise<void> {
  const allowed = name === 'browser' && isOn ? await mayNotify() : isOn
  noticeSettings.value = { ...noticeSettings.peek(), [name]: allowed }
  remember('notice-settings', JSON.stringify(noticeSettings.peek()))
}

/** Returns whether browser notifications can be offered here at all, and whether they were refused. */
export function notificationState(): 'absent' | 'refused' | 'possible' {
  if (typeof Notification === 'undefined' || !isSecureContext) return 'absent'
  return Notification.permission === 'denied' ? 'refused' : 'possible'
}

async function mayNotify(): Promise<boolean> {
  return notificationState() === 'possible' && (await Notification.requestPermission()) === 'granted'
}
