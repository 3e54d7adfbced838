import type { AdminAction } from '../../../client/client.js'

const DONE: Readonly<Record<string, string>> = {
  create: 'Created',
  edit: 'Changed',
  halt: 'Halted',
  resume: 'Resumed',
  close: 'Closed',
  resolve: 'Resolved',
  void: 'Voided',
  deposit: 'Deposited',
  withdraw: 'Withdrew',
  backup: 'Backed up',
}
const WHO: Readonly<Record<AdminAction['who'], string>> = {
  loopback: 'this machine',
  token: 'admin token',
  open: 'no authentication',
}

/** What was done, in a word; one that is not known is shown as it came. */
export function actionWords({ action }: { readonly action: string }): string {
  return DONE[action] ?? action
}

/** How whoever did it was let in, and from where. */
export function whoWords({ who, address }: Pick<AdminAction, 'who' | 'address'>): string {
  return address === '' ? WHO[who] : `${WHO[who]}, ${address}`
}

/** What was said with it: `amount 500 · txn_id t1`. Long texts are cut, for the row is one of many. */
export function saidWords({ fields }: Pick<AdminAction, 'fields'>, lengthMax = 80): string {
  return Object.entries(fields)
    .map(
      ([name, value]) =>
        `${name} ${cut(typeof value === 'string' ? value : JSON.stringify(value), lengthMax)}`,
    )
    .join(' · ')
}

function cut(text: string, lengthMax: number): string {
  const letters = [...text.replace(/\s+/g, ' ')]
  return letters.length <= lengthMax ? letters.join('') : `${letters.slice(0, lengthMax - 1).join('')}…`
}
