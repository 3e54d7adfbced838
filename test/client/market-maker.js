// Quotes both sides of a price, anew after each fill, and leaves no order behind.
import { RaayClient } from 'raay/client'

const [event_id, start = '5', userid = 'maker'] = process.argv.slice(2)
const client = new RaayClient({ url: process.env.RAAY_URL ?? 'http://127.0.0.1:3000', userid })
let middle = Number(start)

async function quote() {
  await client.cancelAllOrders({ event_id })
  const order = { event_id, quantity: 10, post_only: true }
  const orders = await client.createOrders([
    { ...order, offer_type: 'buy', price: middle - 0.2 },
    { ...order, offer_type: 'sell', price: middle + 0.2 },
  ])
  for (const { reason, message } of orders) if (reason ?? message) console.error(reason ?? message)
}

const fills = client.watchMyTrades()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => fills.close())
try {
  await fills.ready()
  await quote()
  for await (const { side, qty, price } of fills) {
    middle += side === 'yes' ? -0.05 : 0.05
    console.log(`${side} ${qty} at ${price}: now around ${middle.toFixed(2)}`)
    await quote()
  }
} finally {
  await client.cancelAllOrders({ event_id })
  client.close()
}
