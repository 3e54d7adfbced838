import { signal } from '@preact/signals'

export type Direction = 'deposit' | 'withdraw'

/** A transfer that was sent and has not been confirmed. */
export interface PendingTransfer {
  readonly userid: string
  readonly direction: Direction
  readonly amount: number
  readonly txn_id: string
}

const KEY = 'raay.admin-transfer'

/** The pending transfer, kept across reloads until it is confirmed; retries count once. */
export const pendingTransfer = signal(kept())

export function keepTransfer(transfer: PendingTransfer | undefined): void {
  pendingTransfer.value = transfer
  try {
    if (transfer === undefined) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, JSON.stringify(transfer))
  } catch {
    return
  }
}

function kept(): PendingTransfer | undefined {
  try {
    const text = sessionStorage.getItem(KEY)
    return text === null ? undefined : (JSON.parse(text) as PendingTransfer)
  } catch {
    return undefined
  }
}
