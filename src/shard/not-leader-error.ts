/** An exchange that follows another one was to change something: nothing was done. */
export class NotLeaderError extends Error {
  override readonly name = 'NotLeaderError'

  constructor() {
    super('the exchange follows another one, which alone decides')
  }
}
