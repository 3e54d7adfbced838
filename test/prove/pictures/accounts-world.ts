import { readOperatorKey } from '../../../src/access/operator-key.js'
import { ServerClient } from '../../fixtures/server/server-client.js'
import type { SpawnedServer } from '../../fixtures/server-process.js'
import { SoftAuthenticator } from '../../fixtures/soft-authenticator.js'
import { PEOPLE } from './world.js'

/** An exchange with accounts, and what its links contain. */
export interface AccountsWorld {
  /** `http://localhost:…`, which passkeys need. */
  readonly site: string
  readonly market: string
  readonly recovery: string
  readonly invitation: string
}

const PASSWORD = 'a sentence to remember'

/** Fills an exchange with accounts, keys, a passkey, an invitation and an announcement. */
export async function fillAccounts({ url, data }: SpawnedServer): Promise<AccountsWorld> {
  const site = url.replace('127.0.0.1', 'localhost')
  const client = new ServerClient(site, readOperatorKey(data))
  const { trader, admin } = PEOPLE
  for (const [name, role] of [
    [admin, 'admin'],
    [trader, 'trader'],
    ['ravi', 'trader'],
    ['meera', 'viewer'],
  ]) {
    await client.post('/auth/users', { name, role, password: PASSWORD })
  }
  const market = await client.createEvent({ title: 'Will it rain in Mumbai on Sunday?', category: 'Weather' })
  const keys = [
    { name: 'market maker', scopes: ['read', 'trade'], addresses: ['10.0.0.0/8'] },
    {
      name: 'spreadsheet',
      scopes: ['read'],
      expires_at: new Date(Date.now() + 90 * 86_400_000).toISOString(),
    },
  ]
  for (const body of keys) await client.post('/auth/keys', { ...body, user: trader })
  const cookie = await sessionOf(site, trader)
  const signedIn = new ServerClient(site)
  const options = await signedIn.post('/auth/passkeys/options', {}, { cookie })
  const asked = options.body.additional as { readonly options: Parameters<SoftAuthenticator['create']>[0] }
  const response = new SoftAuthenticator(site).create(asked.options)
  await signedIn.post('/auth/passkeys', { name: 'Asha’s phone', response }, { cookie })
  await client.send(
    'PUT',
    '/admin/announcement',
    JSON.stringify({
      kind: 'warning',
      en: 'Trading pauses on Sunday from 02:00 to 03:00 for maintenance.',
      hi: 'रखरखाव के लिए रविवार को रात 2 से 3 बजे तक ट्रेडिंग बंद रहेगी।',
    }),
  )
  const [recovery, invitation] = [
    await tokenOf(client, '/auth/users/ravi/recovery', {}),
    await tokenOf(client, '/auth/invitations', { role: 'trader' }),
  ]
  return { site, market, recovery, invitation }
}

/** Signs an account in; returns its session as a browser sends it. */
export async function sessionOf(site: string, name: string): Promise<string> {
  const { headers } = await new ServerClient(site).post('/auth/login', { name, password: PASSWORD })
  return (headers.get('set-cookie') ?? '').replace(/;.*/s, '')
}

/** Returns the secret of a link. */
async function tokenOf(client: ServerClient, path: string, body: object): Promise<string> {
  const { additional } = (await client.post(path, body)).body
  return String((additional as { readonly url?: string }).url).replace(/^.*=/, '')
}
