import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { orderSchema } from '../../src/api/orders/order-schema.js'
import { validate } from '../../src/api/validation.js'
import { readJson } from '../../src/http/middleware/body.js'
import type { Call } from '../../src/http/routing/handle.js'
import { envelopeText, successJson } from '../../src/http/middleware/envelope.js'

/**
 * The baseline of the end-to-end figure: the same stack parses and validates the same body and sends the same
 * answer, without money, book, disk or threads.
 */
const PLACED_JSON = successJson(201, 'Order placed successfully')
const app = new Hono().post('/order/initiate', async c => {
  validate(orderSchema, await readJson({ c, access: { changes: 0 }, changes: 0 } as unknown as Call))
  return envelopeText({ c }, 201, PLACED_JSON, { 'X-Order-Id': 'none', Location: '/order/none' })
})

const server = createAdaptorServer({ fetch: app.fetch })
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`ready on http://127.0.0.1:${port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
