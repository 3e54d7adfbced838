import { maker } from './maker.js'
import type { Strategy } from './strategy.js'
import { momentum, news, noise } from './takers.js'

/** A trader that is a program, and says so in its name. */
export interface Bot {
  readonly userId: string
  readonly strategy: Strategy
  /** Relative frequency of its turns. */
  readonly weight: number
}

/** All traders in a demo except its guests. */
export const BOTS: readonly Bot[] = [
  { userId: 'bot-maker-1', strategy: maker, weight: 5 },
  { userId: 'bot-maker-2', strategy: maker, weight: 5 },
  { userId: 'bot-noise-1', strategy: noise, weight: 2 },
  { userId: 'bot-noise-2', strategy: noise, weight: 2 },
  { userId: 'bot-noise-3', strategy: noise, weight: 1 },
  { userId: 'bot-momentum-1', strategy: momentum, weight: 2 },
  { userId: 'bot-news-1', strategy: news, weight: 2 },
]
