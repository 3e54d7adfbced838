export const en = {
  share: 'Share',
  copyLink: 'Copy link',
  copied: 'Link copied',
  copiedCode: 'Code copied',
  embedCode: 'Copy embed code',
  sendTo: 'Send to…',
}
