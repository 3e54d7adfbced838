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
  confirm_clock: 'Confirmed clock',
}
const WHO: Readonly<Record<string, string>> = {
  loopback: 'this machine',
  token: 'operator’s key',
  open: 'no authentication',
}

/** Names an action; an unknown one is shown as it is. */
export function actionWords({ action }: { readonly action: string }): string {
  return DONE[action] ?? action
}

/** Describes how an action was authorised, and from which address. */
export function whoWords({ who, address }: Pick<AdminAction, 'who' | 'address'>): string {
  const name = WHO[who] ?? who.replace(/^account:/, '')
  return address === '' ? name : `${name}, ${address}`
}

/** Lists an action’s fields, `amount 500 · txn_id t1`, with long texts cut. */
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
