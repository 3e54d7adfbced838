import t from 'tap'
import type { Command } from '../../src/core/command.js'
import type { TimeMs } from '../../src/core/units.js'
import { happeningsIn } from '../../src/webhooks/journal-messages.js'

const AT = 5 as TimeMs
const command = (fields: object) => fields as Command

t.test('a batch is numbered by what happened in it, not by its orders', async t => {
  const listing = { id: 'evt-1', title: 'Rain?' }
  const commands = [
    command({ type: 'CREATE_ORDER', market: 7 }),
    command({ type: 'CREATE_MARKET', terms: { code: 8 }, listing }),
    command({ type: 'CANCEL_ORDER', market: 7 }),
    command({ type: 'MOVE_MARKET', market: 7, to: 'halted' }),
    command({ type: 'RESOLVE_MARKET', market: 9, outcome: 'yes' }),
  ]
  const happenings = happeningsIn({ sequence: 12, at: AT, commands })
  t.match(happenings, [
    { sequence: 12, index: 0, at: AT, kind: 'created', code: 8, listing },
    { sequence: 12, index: 1, at: AT, kind: 'moved_to', code: 7, status: 'halted' },
    { sequence: 12, index: 2, at: AT, kind: 'resolved', code: 9, results: [{ market: 9, outcome: 'yes' }] },
  ])
  t.equal(happenings.length, 3)
})

t.test('a group is created and resolved once, whatever its outcomes', async t => {
  const markets = [8, 9, 10].map(code => ({ terms: { code }, listing: { id: `evt-${code}` } }))
  const commands = [
    command({ type: 'CREATE_GROUP', terms: { code: 7 }, listing: { id: 'grp-1', title: 'Cup' }, markets }),
    command({
      type: 'RESOLVE_GROUP',
      group: 7,
      outcomes: [
        [8, 'yes'],
        [9, 'no'],
        [10, 'no'],
      ],
    }),
  ]
  const happenings = happeningsIn({ sequence: 2, at: AT, commands })
  t.match(happenings, [
    { index: 0, kind: 'created', code: 7, listing: { title: 'Cup' } },
    { index: 1, kind: 'resolved', code: 7, results: [{ market: 8 }, { market: 9 }, { market: 10 }] },
  ])
  t.equal(happenings.length, 2)
})
