import { fileURLToPath } from 'node:url'
import { median } from './figures.js'
import { ratioText } from './measuring/comparison.js'
import type { OtherBuild } from './measuring/other-build.js'
import { createEvent } from './orders.js'
import { startRaay } from './server-child.js'

const STARTS = 7
/** The program as the package has it: in a few files. */
const PACKAGE = fileURLToPath(new URL('../../bundle/raay.js', import.meta.url))

interface Side {
  readonly name: string
  readonly bin: string | undefined
  readonly readyMs: number[]
  readonly firstMs: number[]
  /** Processor time of each thread until the first order was answered. */
  readonly cpuMs: Map<string, number>[]
}

/** Measures how long it takes from an empty directory to the answer to the first order, and what that costs. */
export async function benchStart(other: OtherBuild | undefined): Promise<void> {
  const sideOf = (name: string, bin: string | undefined): Side => ({
    ...{ name, bin, readyMs: [], firstMs: [], cpuMs: [] },
  })
  const sides = [sideOf('this build', undefined), sideOf('as a package', PACKAGE)]
  if (other) sides.push(sideOf(other.commit, other.bin))
  for (let start = 0; start < STARTS; start++) for (const side of sides) await startOnce(side)
  console.log(`From an empty directory to the answer to the first order, medians of ${STARTS} starts in turn`)
  for (const side of sides) {
    const { name, readyMs, firstMs, cpuMs } = side
    const all = cpuMs.map(sumOf)
    console.log(
      `  ${name.padEnd(12)} ready ${ms(readyMs)}, answered ${ms(firstMs)}, CPU ${ms(all)}: ${threads(cpuMs)}`,
    )
  }
  const [own, ...others] = sides as [Side, ...Side[]]
  for (const { name, firstMs, cpuMs } of others) {
    const cpu = ratioText(own.cpuMs.map(sumOf), cpuMs.map(sumOf))
    console.log(`  ÷ ${name.padEnd(10)} answered ${ratioText(own.firstMs, firstMs)}, CPU ${cpu}`)
  }
}

async function startOnce({ bin, readyMs, firstMs, cpuMs }: Side): Promise<void> {
  const begin = performance.now()
  const server = await startRaay({ bin })
  readyMs.push(performance.now() - begin)
  await placeOrder(server.url, await createEvent(server.url, 'The first event'))
  firstMs.push(performance.now() - begin)
  const costs = server.costs()
  if (costs !== undefined) cpuMs.push(new Map([...costs.cpuUs].map(([name, us]) => [name, us / 1000])))
  await server.stop()
}

async function placeOrder(url: string, code: string): Promise<void> {
  const body = JSON.stringify({
    ...{ event_id: code, userid: 'asha', offer_type: 'buy', order_type: 'LO' },
    ...{ l1_expected_price: 5, l1_order_quantity: 1 },
  })
  const headers = { 'content-type': 'application/json' }
  const { status } = await fetch(`${url}/order/initiate`, { method: 'POST', headers, body })
  if (status !== 201) throw new Error(`the first order was answered with ${status}`)
}

/** Returns the median of each thread. */
function threads(cpuMs: readonly Map<string, number>[]): string {
  const names = [...new Set(cpuMs.flatMap(of => [...of.keys()]))]
  return names.map(name => `${name} ${ms(cpuMs.map(of => of.get(name) ?? 0))}`).join(', ')
}

const sumOf = (costs: ReadonlyMap<string, number>) =>
  [...costs.values()].reduce((sum, value) => sum + value, 0)
const ms = (values: readonly number[]) => `${median(values).toFixed(0)} ms`
