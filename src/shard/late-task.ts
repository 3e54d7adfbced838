/** A worker thread has not answered a task in time; whether it will have done it is unknown. */
export class LateTask extends Error {
  override readonly name = 'LateTask'

  constructor(thread: string, timeoutMs: number) {
    super(`${thread}: no answer within ${timeoutMs / 1000} s`)
  }
}
