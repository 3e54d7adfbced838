import { plural } from '../plural.js'

export const en = {
  title: 'Seasons',
  about:
    'At its start a season cancels all open orders and gives each user the same money. Contracts stay, and count towards it.',
  guide: 'How seasons work',
  newSeason: 'New season',
  name: 'Name',
  starts: 'Starts',
  ends: 'Ends',
  stake: 'Stake',
  stakeRupees: 'Stake (₹)',
  stakeHint: 'The money of each user at the start, with what open events hold.',
  create: 'Create season',
  fields: {
    missing: 'Required.',
    number: 'A number, such as 10,000.',
    time: 'A date and a time.',
  },
  status: 'Status',
  statuses: { planned: 'Planned', turning: 'Starting', running: 'Running', over: 'Over', skipped: 'Skipped' },
  edit: 'Edit',
  editTitle: (name: string) => `Edit ${name}`,
  delete: 'Delete',
  preview: 'Preview its start',
  empty: 'No seasons yet.',
  turnTitle: (name: string) => `If ${name} started now`,
  turn: {
    users: (changed: string, users: string) => `The money of ${changed} of ${users} users would change.`,
    orders: (count: number, shown: string) =>
      plural(count, {
        one: 'One open order would be cancelled.',
        other: `${shown} open orders would be cancelled.`,
      }),
    money: (paidIn: string, paidOut: string) => `${paidIn} would be paid in, ${paidOut} paid out.`,
    floored: (count: number, shown: string) =>
      plural(count, {
        one: 'One user has put more than the stake into open events, and would have no cash.',
        other: `${shown} users have put more than the stake into open events, and would have no cash.`,
      }),
  },
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: 'It has not started. Nothing else changes.',
}
