import type { Call, Called } from './documented-client.js'

type Ask = (id: string, status: number, call?: Call) => Promise<Called>
type Refuse = (id: string, status: number, call?: Call) => Promise<void>

const URL = 'https://hooks.example.org/raay'
const body = { url: URL, events: ['created', 'resolved'] }

/** Lets every operation on webhooks succeed. */
export async function callWebhooks(call: Ask): Promise<void> {
  const made = await createWebhook(call)
  await call('listWebhooks', 200)
  await call('getWebhook', 200, made)
  await call('editWebhook', 200, { ...made, body: { is_enabled: false } })
  await call('testWebhook', 200, made)
  await call('rotateWebhook', 200, made)
  await call('replayWebhook', 200, { ...made, body: { from_sequence: 1 } })
  await call('listDeliveries', 200, made)
  await call('deleteWebhook', 200, made)
}

/** Lets every operation on webhooks be refused. */
export async function refuseWebhooks(call: Ask, refuse: Refuse): Promise<void> {
  const away = { with: { webhook: 'wh_none' } }
  for (const id of ['getWebhook', 'deleteWebhook', 'testWebhook', 'rotateWebhook', 'listDeliveries']) {
    await refuse(id, 404, away)
  }
  await refuse('editWebhook', 404, { ...away, body: {} })
  await refuse('replayWebhook', 404, { ...away, body: { from_sequence: 1 } })
  for (const url of ['http://hooks.example.org/', 'https://hooks.example.org:1/', 'https://localhost/']) {
    await refuse('createWebhook', 422, { body: { ...body, url } })
  }
  const made = await createWebhook(call)
  await refuse('editWebhook', 422, { ...made, body: { url: 'https://10.0.0.1/' } })
  await refuse('replayWebhook', 422, { ...made, body: { from_sequence: 0 } })
  for (let count = 1; count < 20; count++) await createWebhook(call)
  await refuse('createWebhook', 409, { body })
}

async function createWebhook(call: Ask): Promise<Call> {
  const { additional } = await call('createWebhook', 201, { body })
  return { with: { webhook: (additional as { webhook: string }).webhook } }
}
