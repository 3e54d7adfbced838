import type { By } from './signed.js'
import type { Sequence } from './units.js'

/**
 * The number of the rules by which batches are decided. A version that decides something in another way has a
 * higher one; while it follows an exchange, it decides by the rules of that one.
 */
export const RULES = 1

/** The time of one leader: from the line with which it begins to the next one. */
export interface Epoch {
  /** 0 before the first line, then 1, 2, 3, … */
  readonly epoch: number
  /** The number of its rules. */
  readonly rules: number
}

/** An epoch, and the batch that began it. */
export interface BegunEpoch extends Epoch {
  readonly from: Sequence
}

/** The epoch of a journal in which none has begun. */
export const FIRST_EPOCH: BegunEpoch = { epoch: 0, rules: 1, from: 0 as Sequence }

/** An exchange that has followed another one leads from here on. Changes neither a book nor an account. */
export interface BeginEpoch extends Epoch {
  readonly type: 'BEGIN_EPOCH'
  readonly id: string
  readonly by: By
}

/** Returns why an epoch cannot follow from the one before it. */
export function epochFault(before: Epoch, { epoch, rules }: Epoch): string | undefined {
  if (epoch !== before.epoch + 1) return `epoch ${epoch} follows epoch ${before.epoch}`
  if (rules < before.rules)
    return `epoch ${epoch} has rules ${rules}, the one before it rules ${before.rules}`
  return rulesFault({ epoch, rules })
}

/** Returns why this version cannot decide by the rules of an epoch. */
export function rulesFault({ epoch, rules }: Epoch): string | undefined {
  if (rules <= RULES) return undefined
  return `epoch ${epoch} has rules ${rules}, this version knows those up to ${RULES}: install a newer one`
}

/** Returns why this version cannot decide a batch: it begins an epoch of rules that are not known here. */
export function unknownRulesIn(commands: readonly { readonly type: string }[]): string | undefined {
  for (const command of commands) {
    const fault = isEpoch(command) ? rulesFault(command) : undefined
    if (fault !== undefined) return fault
  }
  return undefined
}

function isEpoch(command: { readonly type: string }): command is BeginEpoch {
  return command.type === 'BEGIN_EPOCH'
}
