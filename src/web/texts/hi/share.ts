import type { en } from '../en/share.js'

export const hi: typeof en = {
  share: 'शेयर करें',
  copyLink: 'लिंक कॉपी करें',
  copied: 'लिंक कॉपी हो गया',
  copiedCode: 'कोड कॉपी हो गया',
  embedCode: 'एम्बेड कोड कॉपी करें',
  sendTo: 'भेजें…',
}
