import type { ListedMarket, MarketStatus, Outcome } from '../../../../client/client.js'

export type BulkMove = 'haltMarket' | 'resumeMarket' | 'closeMarket' | 'resolveMarket'

/** The most events that are changed at once. */
export const BULK_MAX = 100

const APPLIES: Readonly<Record<BulkMove, readonly MarketStatus[]>> = {
  haltMarket: ['open'],
  resumeMarket: ['halted'],
  closeMarket: ['scheduled', 'open', 'halted'],
  resolveMarket: ['closed'],
}

export const BULK_MOVES = Object.keys(APPLIES) as readonly BulkMove[]

/** Returns the events to which a move applies as they are now. */
export function movable<Listed extends Pick<ListedMarket, 'status'>>(
  markets: readonly Listed[],
  move: BulkMove,
): Listed[] {
  return markets.filter(({ status }) => APPLIES[move].includes(status))
}

interface Operator {
  haltMarket(code: string): Promise<unknown>
  resumeMarket(code: string): Promise<unknown>
  closeMarket(code: string): Promise<unknown>
  resolveMarket(code: string, resolution: { readonly outcome: Outcome }): Promise<unknown>
}

interface Moving {
  readonly operator: Operator
  readonly move: BulkMove
  readonly codes: readonly string[]
  /** The outcome of each event that is resolved. */
  readonly outcomes: ReadonlyMap<string, Outcome>
  /** Called after each event. */
  readonly onDone: (code: string) => void
}

/** Changes events one after the other; throws at the first that fails, those after it stay as they are. */
export async function moveAll({ operator, move, codes, outcomes, onDone }: Moving): Promise<void> {
  for (const code of codes) {
    const outcome = outcomes.get(code)
    if (move !== 'resolveMarket') await operator[move](code)
    else if (outcome !== undefined) await operator.resolveMarket(code, { outcome })
    onDone(code)
  }
}
