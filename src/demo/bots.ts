import { maker } from './maker.js'
import type { Strategy } from './strategy.js'
import { momentum, news, noise } from './takers.js'

/** A trader that is a program, and says so in its name. */
export interface Bot {
  readonly userId: string
  readonly character: Strategy
  /** Relative frequency of its turns. */
  readonly weight: number
}

/** All traders in a demo except its guests. */
export const BOTS: readonly Bot[] = [
  { userId: 'bot-maker-1', character: maker, weight: 5 },
  { userId: 'bot-maker-2', character: maker, weight: 5 },
  { userId: 'bot-noise-1', character: noise, weight: 2 },
  { userId: 'bot-noise-2', character: noise, weight: 2 },
  { userId: 'bot-noise-3', character: noise, weight: 1 },
  { userId: 'bot-momentum-1', character: momentum, weight: 2 },
  { userId: 'bot-news-1', character: news, weight: 2 },
]
