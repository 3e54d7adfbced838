import t from 'tap'
import { FetchedTerms } from '../../src/web/kit/fetched-terms.js'
import { nameText, outcomeFirst } from '../../src/web/kit/name-text.js'
import { hi } from '../../src/web/texts/hi/kit.js'

t.test('"None of these" is translated as an outcome and in its title, and nowhere else', async t => {
  t.equal(nameText('None of these'), 'None of these')
  t.equal(nameText('Cup: None of these'), 'Cup: None of these')
  t.equal(hi.noneOfThese, 'इनमें से कोई नहीं')
  t.equal(nameText('Cup: India'), 'Cup: India')
})

t.test('the outcome of a question follows it without a second sign, or stands in front', async t => {
  t.equal(nameText('Who wins the cup?: India'), 'Who wins the cup? India')
  t.equal(nameText('Who wins the cup?: None of these'), 'Who wins the cup? None of these')
  t.equal(outcomeFirst('Who wins the cup?: India'), 'India · Who wins the cup?')
  t.equal(outcomeFirst('Will it rain?'), 'Will it rain?')
})

/** Events 1 to 3 and the group 9, and what was asked for. */
function exchange() {
  const asked: string[] = []
  const client = {
    fetchMarkets: async ({ event_ids = '' }) => {
      asked.push(event_ids)
      const codes = event_ids.split(',').filter(code => code < '4')
      return codes.map(event_id => ({ event_id, title: `Event ${event_id}` }))
    },
    groups: {
      fetchGroup: async (code: string) => {
        asked.push(`group ${code}`)
        if (code !== '9') throw new Error('404')
        return { code, title: 'Cup' }
      },
    },
  }
  return { asked, terms: new FetchedTerms(client as never) }
}

const settled = () => new Promise(resolve => setImmediate(resolve))

t.test('a code that no event has is looked for among the groups, once', async t => {
  const { asked, terms } = exchange()
  for (const code of ['1', '9', '2']) {
    t.equal(terms.of(code), undefined)
    t.equal(terms.groupOf(code), undefined)
  }
  await settled()
  t.match(terms.of('1'), { title: 'Event 1' })
  t.match(terms.groupOf('9'), { title: 'Cup' })
  t.equal(terms.of('9'), undefined)
  t.equal(terms.groupOf('1'), undefined)
  await settled()
  t.same(asked, ['1,9,2', 'group 9'])
})

t.test('a code that nothing has is asked for again', async t => {
  const { asked, terms } = exchange()
  t.equal(await terms.fetch('8'), undefined)
  await settled()
  t.equal(await terms.fetch('8'), undefined)
  await settled()
  t.same(asked, ['8', 'group 8', '8', 'group 8'])
})
