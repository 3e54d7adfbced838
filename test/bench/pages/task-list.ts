import type { Ready } from './task-world.js'
import { USER } from './task-world.js'
import type { Walk } from './walk.js'

/** Stands for the operator, in place of a username. */
export const OPERATOR = 'operator'

export interface Task {
  readonly name: string
  /** A username, or the operator; undefined for a visitor without a username. */
  readonly by: string | undefined
  readonly from: (ready: Ready) => string
  /** Ends when the page says that the goal is reached. */
  readonly steps: (walk: Walk, ready: Ready) => Promise<void>
}

const RULES = 'The result on the site of the board.'
const BOUGHT = /^Bought [\d.]+ YES for/

export const TASKS: readonly Task[] = [
  {
    name: 'bet ₹100 that it rains',
    by: USER,
    from: () => '/',
    steps: async walk => {
      await walk.click('link', /^YES/)
      await walk.click('button', /^Buy [\d.]+ YES$/)
      await walk.see(BOUGHT)
    },
  },
  {
    name: 'the same as a visitor, who takes a username first',
    by: undefined,
    from: () => '/',
    steps: async walk => {
      await walk.click('link', /^YES/)
      await walk.click('button', 'Choose a username to trade')
      await walk.find('textbox', 'Username')
      await walk.type('mira')
      await walk.press('Enter')
      await walk.click('button', /^Buy [\d.]+ YES$/)
      await walk.see(BOUGHT)
    },
  },
  {
    name: 'get out',
    by: USER,
    from: ({ rain }) => `/market/${rain}`,
    steps: async walk => {
      await walk.click('button', /^Exit/)
      await walk.click('button', /^Sell [\d.]+ YES$/)
      await walk.see(/^Sold [\d.]+ YES for/)
    },
  },
  {
    name: 'what did I win last week',
    by: USER,
    from: () => '/',
    steps: async walk => {
      await walk.click('link', 'Portfolio')
      await walk.click('button', '1W')
      await walk.see(/^[+−]₹[\d,.]+ in the last 7 days$/)
    },
  },
  {
    name: 'why was my order refused',
    by: USER,
    from: () => '/',
    steps: async walk => {
      await walk.click('link', 'Portfolio')
      await walk.click('link', 'Orders')
      await walk.see(/^Needed ₹[\d,.]+, more than your available balance\.$/)
    },
  },
  {
    name: "open a market for Sunday's match, as a copy of last week's",
    by: OPERATOR,
    from: () => '/admin',
    steps: async (walk, { lastMatch, match }) => {
      await walk.click('link', lastMatch)
      await walk.click('link', 'Duplicate')
      await walk.click('textbox', 'Question')
      await walk.press('ControlOrMeta+a')
      await walk.type(match)
      await walk.press('Enter')
      await walk.find('heading', match)
    },
  },
  {
    name: 'the same from nothing',
    by: OPERATOR,
    from: () => '/admin',
    steps: async (walk, { match, sunday }) => {
      await walk.click('link', 'New event')
      await walk.click('textbox', 'Question')
      await walk.type(match)
      await walk.press('Tab')
      await walk.type(RULES)
      await walk.clickLabel('Closes')
      await walk.type(sunday.typed)
      await walk.click('button', 'Create event')
      await walk.find('heading', match)
      await walk.see(new RegExp(`on ${sunday.shown} `))
    },
  },
  {
    name: 'halt a market',
    by: OPERATOR,
    from: () => '/admin',
    steps: async (walk, { rainTitle }) => {
      await walk.click('link', rainTitle)
      await walk.click('button', 'Halt')
      await walk.see(/^Halted\. Resting orders stay/)
    },
  },
  {
    name: 'close a market early and resolve it YES',
    by: OPERATOR,
    from: () => '/admin',
    steps: async (walk, { rain, rainTitle }) => {
      await walk.click('link', rainTitle)
      await walk.click('button', 'Close…')
      await walk.click('checkbox', /./)
      await walk.click('button', 'Close event')
      await walk.click('button', /^YES$/)
      await walk.click('textbox', /type the event code/)
      await walk.type(rain)
      await walk.click('button', 'Resolve YES')
      await walk.see(/^Resolved: YES/)
    },
  },
  {
    name: 'pay ₹500 in for a user',
    by: OPERATOR,
    from: () => '/admin',
    steps: async walk => {
      await walk.click('link', 'Users')
      await walk.click('button', `Deposit / withdraw for ${USER}`)
      await walk.click('textbox', 'Amount')
      await walk.type('500')
      await walk.press('Enter')
      await walk.see(/^Deposited ₹500\.00 to asha/)
    },
  },
]
