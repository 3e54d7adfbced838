/** An operator's message to everybody. Its texts are plain text, to be escaped where they are shown. */
export interface Announcement {
  readonly id: number
  readonly createdAt: string
  readonly kind: 'info' | 'warning'
  readonly en: string
  /** Null where readers of Hindi see the English text. */
  readonly hi: string | null
  /** Null if it stays until it is removed. */
  readonly until: string | null
}

/** A new announcement, which replaces the one before. */
export interface AnnouncementRequest {
  readonly kind?: Announcement['kind']
  readonly en: string
  readonly hi?: string | null
  readonly until?: string | null
}
