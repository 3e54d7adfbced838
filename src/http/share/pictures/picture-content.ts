/** The words and figures of the picture of a shared link, ready to be drawn. */
export interface PictureContent {
  readonly site: string
  readonly title: string
  /** In large letters: the chance or the result. */
  readonly headline: string
  /** Below the headline. */
  readonly label: string
  /** In the upper right corner, such as when trading ends. */
  readonly detail: string
  /** The colour of the site, `#rrggbb`. */
  readonly color: string
  readonly tone: 'yes' | 'no' | 'plain'
  /** Chances of the last 24 hours, from 0 to 1; no line for fewer than two. */
  readonly trend: readonly number[]
}

export const PICTURE_WIDTH = 1200
export const PICTURE_HEIGHT = 630
