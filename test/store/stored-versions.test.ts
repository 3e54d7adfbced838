import t from 'tap'
import { openReadOnly } from '../../src/store/database.js'
import { SCHEMA_VERSION, schemaVersion } from '../../src/store/schema.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { Operator } from '../fixtures/operator.js'
import { layOutVersion } from '../fixtures/stored-versions.js'
import { TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

const VERSIONS = Array.from({ length: SCHEMA_VERSION }, (_, index) => index + 1)
const USERS = ['asha', 'ravi', 'meera', 'dev', 'isha']

for (const version of VERSIONS) {
  t.test(`a file that version ${version} wrote is migrated, verifies and is traded on`, async t => {
    const file = layOutVersion(t.testdir(), version)
    const before = openReadOnly(file)
    t.equal(schemaVersion(before), version)
    const cash = 'SELECT owner, cash, held FROM accounts ORDER BY number'
    const owned = before.prepare(cash).all()
    before.close()
    const later = await TestExchange.open(t, { file })
    t.same(later.rows(cash), owned, 'the migration moves no money')
    t.same(wrong(verifyFile(file)), [], 'right after the migration')
    for (const user of USERS) t.not(later.exchange.balance(user), undefined, user)
    await later.playAll(['asha buy 3 @ 6.5', 'ravi sell 3 @ 6.5', 'zoya buy 1 @ 7', 'meera sell 1 market'])
    await new Operator(later).settle('yes')
    t.ok(later.exchange.moneyIsAllThere())
    t.same(wrong(verifyFile(file)), [], 'after more trading and a settlement')
    await later.restart()
    t.ok(later.exchange.moneyIsAllThere(), 'after a restart')
    await later.close()
  })
}
