import type { NoticeLog } from './notice-log.js'
import { readLog } from './notice-log.js'

/** Returns where a browser keeps the notices of a user. */
export const noticeKey = (userid: string) => `raay.notices.${userid}`

/** Reads the stored notices of a user; undefined if there are none, or if the browser forbids storage. */
export function loadNotices(userid: string): NoticeLog | undefined {
  try {
    return readLog(localStorage.getItem(noticeKey(userid)))
  } catch {
    return undefined
  }
}

/** Stores the notices of a user; without storage they last as long as the page. */
export function storeNotices(userid: string, log: NoticeLog): void {
  try {
    localStorage.setItem(noticeKey(userid), JSON.stringify(log))
  } catch {
    return
  }
}
