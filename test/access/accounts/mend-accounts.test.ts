import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { acceptAccounts } from '../../../src/access/accounts/mend-accounts.js'
import { readConfig } from '../../../src/server/config/config.js'
import { SITE_FILE } from '../../../src/site/site-schema.js'
import { roomyDirectory } from '../../fixtures/server/server-directory.js'
import { startTestServer } from '../../fixtures/server-process.js'

t.test('accounts are accepted beside a site that is missing or damaged, which stays so', async t => {
  const data = roomyDirectory(t)
  const { access } = readConfig({ auth: 'accounts' }, {})
  const server = await startTestServer(t, { access, data })
  await server.close()
  const site = join(data, 'site.db')
  for (const suffix of ['', '-wal', '-shm']) rmSync(site + suffix, { force: true })
  t.match(acceptAccounts(data, SITE_FILE), { doubt: undefined })
  t.notOk(existsSync(site))
  writeFileSync(site, 'not a database, but long enough to be taken for one'.repeat(20))
  const before = readFileSync(site, 'utf8')
  t.match(acceptAccounts(data, SITE_FILE), { doubt: undefined })
  t.equal(readFileSync(site, 'utf8'), before)
})
