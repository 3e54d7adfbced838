import { isHindi } from '../texts/language.js'

/** The longest wait for the letters of Hindi; after it the system’s letters are used, and lines may move. */
const LETTERS_WAIT_MS = 1000

/**
 * Draws the page in a task of its own, because its scripts have taken a slow phone long enough. A page in
 * Hindi waits a moment for its letters, so that its lines need not move when they come.
 */
export async function firstDraw(draw: () => void): Promise<void> {
  if (isHindi) await Promise.race([loadLetters(), pause(LETTERS_WAIT_MS)])
  setTimeout(draw)
}

async function loadLetters(): Promise<void> {
  const load = (name: string) =>
    Promise.all([...document.fonts].filter(({ family }) => family.includes(name)).map(font => font.load()))
  await load('SystemDevanagari').catch(() => load('SiteDevanagari').catch(() => {}))
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
