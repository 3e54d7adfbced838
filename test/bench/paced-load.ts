import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const TICK_MS = 5

/** Sends orders at a steady rate without waiting for responses. Returns the sorted latencies in ms. */
export async function pacedLoad(
  url: string,
  bodies: readonly string[],
  perSecond: number,
  seconds: number,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  const latencies: number[] = []
  const answers: Promise<void>[] = []
  const start = performance.now()
  for (let sent = 0; sent < perSecond * seconds; ) {
    const due = ((performance.now() - start) / 1000) * perSecond
    for (; sent < due && sent < perSecond * seconds; sent++) {
      answers.push(send(agent, url, bodies[sent % bodies.length] as string, latencies))
    }
    await sleep(TICK_MS)
  }
  await Promise.all(answers)
  agent.destroy()
  return latencies.sort((a, b) => a - b)
}

function send(agent: Agent, url: string, body: string, latencies: number[]): Promise<void> {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/order/initiate`, { agent, method: 'POST' }, answer => {
      if (answer.statusCode !== 201) reject(new Error(`an order was answered ${answer.statusCode}`))
      answer.resume().once('end', () => {
        latencies.push(performance.now() - start)
        resolve()
      })
    })
    outgoing.once('error', reject)
    outgoing.setHeader('content-length', Buffer.byteLength(body))
    outgoing.end(body)
  })
}
