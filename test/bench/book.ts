import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { OrderBook as PeerBook, Side as PeerSide } from 'nodejs-order-book'
import { OrderBook } from '../../src/core/book/order-book.js'
import type { Operations } from './book-operations.js'
import { CANCEL, MARKET, PAYOUT, playBook } from './book-operations.js'
import type { Workload } from './book-workloads.js'
import { bookWorkloads } from './book-workloads.js'
import { median } from './figures.js'

export interface BookResult {
  readonly workload: string
  readonly raayPerSecond: number
  readonly peerPerSecond: number
  readonly ratio: number
}

const ROUNDS = 5
const WARM_UP_ROUNDS = 2

/**
 * Compares the book alone with the npm package nodejs-order-book, on the same operations in the same
 * process. Rounds alternate and the median counts, because the speed of the machine changes from
 * minute to minute. Prints the table.
 */
export function benchBook(): BookResult[] {
  const results = bookWorkloads().map(workload => {
    assertSameBook(workload)
    for (let round = 0; round < WARM_UP_ROUNDS; round++) runRaay(workload)
    const raay: number[] = []
    const peer: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      raay.push(runRaay(workload), runRaay(workload))
      peer.push(runPeer(workload))
    }
    const raayPerSecond = median(raay)
    const peerPerSecond = median(peer)
    return { workload: workload.name, raayPerSecond, peerPerSecond, ratio: raayPerSecond / peerPerSecond }
  })
  console.log(table(results))
  return results
}

/** Measures the operations per second of our book on a workload. */
function runRaay({ restingCount, operations }: Workload): number {
  const book = new OrderBook(PAYOUT)
  playBook(book, operations, 0, restingCount)
  const start = performance.now()
  playBook(book, operations, restingCount, operations.count)
  return perSecond(operations.count - restingCount, start)
}

function runPeer({ restingCount, operations, peerCount }: Workload): number {
  const book = new PeerBook()
  // Its ids are strings; creating them is not measured.
  const ids = Array.from(operations.number.subarray(0, restingCount + peerCount), String)
  playPeer(book, operations, ids, 0, restingCount)
  const start = performance.now()
  playPeer(book, operations, ids, restingCount, restingCount + peerCount)
  return perSecond(peerCount, start)
}

function playPeer(
  book: PeerBook,
  operations: Operations,
  ids: readonly string[],
  from: number,
  to: number,
): void {
  for (let at = from; at < to; at++) {
    const id = ids[at] as string
    if (operations.kind[at] === CANCEL) {
      book.cancel(id)
      continue
    }
    const side = operations.isYes[at] === 1 ? PeerSide.BUY : PeerSide.SELL
    const size = operations.lots[at] as number
    if (operations.kind[at] === MARKET) book.market({ side, size })
    else book.limit({ id, side, size, price: operations.price[at] as number })
  }
}

/** Checks that both end with the same book, without which a comparison means nothing. */
function assertSameBook({ name, restingCount, operations, peerCount }: Workload): void {
  const raay = new OrderBook(PAYOUT)
  const peer = new PeerBook()
  const count = restingCount + peerCount
  playBook(raay, operations, 0, count)
  playPeer(peer, operations, Array.from(operations.number, String), 0, count)
  const [asks, bids] = peer.depth()
  const sorted = [bids.sort(([a], [b]) => b - a), asks.sort(([a], [b]) => a - b)]
  const ours = [raay.depth('yes'), raay.depth('no')]
  if (JSON.stringify(ours) !== JSON.stringify(sorted)) throw new Error(`${name}: the books differ`)
}

function perSecond(count: number, start: number): number {
  return (count * 1000) / (performance.now() - start)
}

function table(results: readonly BookResult[]): string {
  const row = (...[name = '', ...cells]: readonly string[]) =>
    name.padEnd(12) + cells.map(cell => cell.padStart(14)).join('')
  const count = (value: number) => Math.round(value).toLocaleString('en')
  const rows = results.map(({ workload, raayPerSecond, peerPerSecond, ratio }) =>
    row(workload, count(raayPerSecond), count(peerPerSecond), `${ratio.toFixed(0)}×`),
  )
  return [row('workload', 'Raay ops/s', 'peer ops/s', 'ratio'), ...rows].join('\n')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) benchBook()
