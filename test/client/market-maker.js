// Quotes both sides of an event's price, moves the quotes after each fill, sells what it holds too much of,
// goes on when the exchange has been away, and leaves no order behind.
import { randomUUID } from 'node:crypto'
import { RaayClient } from 'raay/client'

// Contracts of one outcome that it keeps; it sells more than that at the market.
const SURPLUS_MAX = 20

const [event_id, userid = 'maker'] = process.argv.slice(2)
const client = new RaayClient({ url: process.env.RAAY_URL ?? 'http://127.0.0.1:3000', userid })
const { tick_size, payout, last_price } = await client.fetchMarket(event_id)
let middle = last_price ?? payout / 2
let isStopping = false

// Repeats what is safe to repeat, until the exchange is there again.
async function again(call) {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!error.retryable || isStopping) throw error
      console.error(`${error.message}: trying again`)
      await new Promise(resolve => setTimeout(resolve, 500))
    }
  }
}

async function quote() {
  const at = price => ({ quantity: 10, price: Math.round(price / tick_size) * tick_size })
  const { results } = await again(() =>
    client.trading.replaceQuotes(event_id, [
      { ...at(middle - payout / 50), offer_type: 'buy' },
      { ...at(middle + payout / 50), offer_type: 'sell' },
    ]),
  )
  for (const { order } of results) if (order.state === 'rejected') console.error(order.reason)
}

async function hedge() {
  const positions = await again(() => client.fetchPositions())
  const { yes = 0, no = 0 } = positions.find(position => position.event_id === event_id) ?? {}
  const quantity = Math.abs(yes - no) - SURPLUS_MAX
  if (quantity <= 0) return
  const outcome = yes > no ? 'yes' : 'no'
  // Its name makes the repeats one order; its own quotes give way to it.
  const client_order_id = randomUUID()
  const sale = { event_id, quantity, price: payout / 2, reduce_only: true, client_order_id }
  const { filled_quantity } = await again(() =>
    client.trading.createOrder({
      ...sale,
      outcome,
      offer_type: 'sell',
      order_type: 'MO',
      self_trade_prevention: 'maker',
    }),
  )
  console.log(`hedged ${filled_quantity} ${outcome}`)
}

const fills = client.watchMyTrades()
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    isStopping = true
    fills.close()
  })
}
try {
  await fills.ready()
  await quote()
  for await (const { side, qty, price, role } of fills) {
    if (role !== 'maker') continue
    middle += side === 'yes' ? -payout / 200 : payout / 200
    console.log(`${side} ${qty} at ${price}: now around ${middle.toFixed(2)}`)
    await hedge()
    await quote()
  }
} finally {
  await client.trading.cancelAllOrders({ event_id })
  client.close()
}
