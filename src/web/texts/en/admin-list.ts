import { plural } from '../plural.js'

export const en = {
  course: 'Price of YES',
  noTrades: 'No trades yet.',
  book: 'Order book',
  noOrders: 'No open orders.',
  bid: 'YES bid',
  ask: 'YES ask',
  bidQuantity: 'Bid quantity',
  askQuantity: 'Ask quantity',
  holders: (count: number) => plural(count, { one: '# holder', other: '# holders' }),
  firstHolders: (count: number) => `The first ${count}. A settlement preview lists all.`,
  decisions: {
    title: 'Needs a decision now',
    none: 'Nothing needs a decision now',
    closed: (since: string) => `Result due for ${since}`,
    closedEarly: 'Closed early, result due',
    halted: 'Halted: resume or close it',
    more: (count: number) => plural(count, { one: '# more event', other: '# more events' }),
  },
  bulkMoves: {
    label: 'Selected events',
    pick: 'Select',
    pickOne: (title: string) => `Select “${title}”`,
    picked: (count: number) => plural(count, { one: '# event selected', other: '# events selected' }),
    all: (count: number) => `Select the first ${count}`,
    none: 'Select none',
    verbs: { haltMarket: 'Halt', resumeMarket: 'Resume', closeMarket: 'Close', resolveMarket: 'Resolve' },
    titles: {
      haltMarket: (count: number) => plural(count, { one: 'Halt # event?', other: 'Halt # events?' }),
      resumeMarket: (count: number) => plural(count, { one: 'Resume # event?', other: 'Resume # events?' }),
      closeMarket: (count: number) => plural(count, { one: 'Close # event?', other: 'Close # events?' }),
      resolveMarket: (count: number) =>
        plural(count, { one: 'Resolve # event?', other: 'Resolve # events?' }),
    },
    understood: {
      closeMarket: 'I understand that trading ends now and cannot resume.',
      resolveMarket: 'I have checked each result. Payouts start immediately and cannot be undone.',
    },
    done: {
      haltMarket: (count: number) => plural(count, { one: '# event halted.', other: '# events halted.' }),
      resumeMarket: (count: number) => plural(count, { one: '# event resumed.', other: '# events resumed.' }),
      closeMarket: (count: number) => plural(count, { one: '# event closed.', other: '# events closed.' }),
      resolveMarket: (count: number) =>
        plural(count, { one: '# event resolved.', other: '# events resolved.' }),
    },
    resultOf: (title: string) => `Result of “${title}”`,
    chooseEach: 'Choose a result for each event.',
    stopped: (done: number, title: string, why: string) => `Stopped at “${title}” after ${done}: ${why}`,
  },
}
