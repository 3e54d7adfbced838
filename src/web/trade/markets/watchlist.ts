import { effect, signal } from '@preact/signals'
import { remember, remembered } from '../../kit/browser-memory.js'
import { exchange } from '../exchange-client.js'
import { userId } from '../session.js'
import { WATCHED_MAX, watchedCodes } from './watched-codes.js'

const KEY = 'watchlist'

/** The codes of the markets on the user's watchlist, the latest first; a visitor's is in this browser. */
export const watchlist = signal<readonly string[]>(watchedCodes(remembered(KEY)))

effect(() => {
  const user = userId.value
  if (user === undefined) watchlist.value = watchedCodes(remembered(KEY))
  else void load(user)
})

/** Puts a market on the watchlist, or takes it off. */
export function toggleWatched(code: string): void {
  const others = watchlist.value.filter(other => other !== code)
  const isOff = others.length < watchlist.value.length
  watchlist.value = isOff ? others : [code, ...others].slice(0, WATCHED_MAX)
  const user = userId.peek()
  if (user === undefined) keepHere(watchlist.value)
  else void change(user, code, isOff)
}

/** Loads a user's list, and adds to it what they watched in this browser before. */
async function load(user: string): Promise<void> {
  try {
    let codes = await exchange.site.fetchWatchlist({ userid: user })
    const here = watchedCodes(remembered(KEY)).filter(code => !codes.includes(code))
    for (const code of here.toReversed()) codes = await exchange.site.addToWatchlist(code, { userid: user })
    keepHere([])
    if (userId.peek() === user) watchlist.value = codes
  } catch {
    // The list stays as it is, and is loaded again with the page.
  }
}

async function change(user: string, code: string, isOff: boolean): Promise<void> {
  const { site } = exchange
  try {
    const codes = await (isOff
      ? site.removeFromWatchlist(code, { userid: user })
      : site.addToWatchlist(code, { userid: user }))
    if (userId.peek() === user) watchlist.value = codes
  } catch {
    await load(user)
  }
}

function keepHere(codes: readonly string[]): void {
  remember(KEY, codes.length === 0 ? undefined : codes.join(','))
}
