import { BrokenInvariant } from '../core/assert.js'

/** The log went on with other lines than this exchange. */
export class LogForkedError extends Error {
  override readonly name = 'LogForkedError'
}

/** Another exchange wrote to the log: this one is no longer the leader, and must stop. */
export class FencedError extends Error {
  override readonly name = 'FencedError'
}

/** The log lacks lines that it had acknowledged. */
export class LogLostError extends Error {
  override readonly name = 'LogLostError'
}

/** Advice for a data directory from which a log does not go on. */
export const RESTORE_ADVICE =
  'Put the newest backup there: raay backup restore latest --backup-to <place> --data <directory> ' +
  '--overwrite; then start it again'

/** The log no longer has the lines behind one: they are in a backup. */
export class TrimmedError extends Error {
  override readonly name = 'TrimmedError'

  /** Returns the error of a journal that needs a line which a stream no longer has. */
  static ofStream(needed: number): TrimmedError {
    return new TrimmedError(
      `the log no longer has batch ${needed}, which this data directory needs. ${RESTORE_ADVICE}`,
    )
  }
}

/** Returns true for an error of the servers or the network: what is asked again may succeed. */
export function isPassing(error: unknown): boolean {
  return ![FencedError, LogLostError, TrimmedError, BrokenInvariant].some(kind => error instanceof kind)
}

/** In words: in a bundle, a class that names itself gets another name. */
const FAULTS: readonly string[] = ['LogForkedError', 'FencedError', 'LogLostError', 'TrimmedError']

/** The thread of the log has ended, or the log cannot be used; the message says why. */
export class ReplicaError extends Error {
  override readonly name = 'ReplicaError'
  /** True if the log and this exchange contradict each other: no retry heals that. */
  readonly isFault: boolean

  /** @param kind the name of the error in the thread */
  constructor(message: string, kind = '') {
    super(message)
    this.isFault = FAULTS.includes(kind)
  }
}
