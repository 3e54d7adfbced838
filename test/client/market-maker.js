// Quotes both sides of an event's price, updates the quotes after each fill, and leaves no order behind.
import { RaayClient } from 'raay/client'

const [event_id, userid = 'maker'] = process.argv.slice(2)
const client = new RaayClient({ url: process.env.RAAY_URL ?? 'http://127.0.0.1:3000', userid })
const { tick_size, payout, last_price } = await client.fetchMarket(event_id)
let middle = last_price ?? payout / 2

async function quote() {
  await client.cancelAllOrders({ event_id })
  const at = price => ({ event_id, quantity: 10, price: Math.round(price / tick_size) * tick_size })
  const orders = await client.createOrders([
    { ...at(middle - payout / 50), offer_type: 'buy', post_only: true },
    { ...at(middle + payout / 50), offer_type: 'sell', post_only: true },
  ])
  for (const { reason, message } of orders) if (reason ?? message) console.error(reason ?? message)
}

const fills = client.watchMyTrades()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => fills.close())
try {
  await fills.ready()
  await quote()
  for await (const { side, qty, price } of fills) {
    middle += side === 'yes' ? -payout / 200 : payout / 200
    console.log(`${side} ${qty} at ${price}: now around ${middle.toFixed(2)}`)
    await quote()
  }
} finally {
  await client.cancelAllOrders({ event_id })
  client.close()
}
