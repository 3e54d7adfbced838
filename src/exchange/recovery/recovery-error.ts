/** A file that the exchange cannot start on; the message says why and what to do. */
export class RecoveryError extends Error {
  override readonly name = 'RecoveryError'
}

export function damaged(damage: string): RecoveryError {
  const advice = 'restore it from a backup; raay verify says more'
  return new RecoveryError(`the data file is damaged (${damage}). Nothing was changed: ${advice}`)
}
