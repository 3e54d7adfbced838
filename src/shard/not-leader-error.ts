/** An exchange that follows another one, or in whose place another one may lead, was to change something. */
export class NotLeaderError extends Error {
  override readonly name = 'NotLeaderError'

  constructor() {
    super('the exchange does not lead: nothing was done')
  }
}
