import type { Test } from 'tap'
import t from 'tap'
import type { AccessMode } from '../../../src/access/access-mode.js'
import type { Comment, ListedComment } from '../../../src/api/site/comment-shape.js'
import { granted } from '../../fixtures/access-room.js'
import type { Asked, AuthApp } from '../../fixtures/auth-app.js'
import { openAuthApp } from '../../fixtures/auth-app.js'
import { OPERATOR_KEY } from '../../fixtures/http-scenario.js'

const PATH = '/events/1000001/comments'
const MENTIONS = '/portfolio/ben/mentions'
const operator = { bearer: OPERATOR_KEY }

async function open(t: Test, mode: AccessMode): Promise<AuthApp> {
  const app = await openAuthApp(t, { mode })
  await app.test.create()
  return app
}

/** Posts a comment and returns its number. */
async function post(app: AuthApp, asked: Asked): Promise<number> {
  const { status, message, additional } = await app.ask(PATH, { method: 'POST', ...asked })
  t.equal(status, 201, message)
  return Number(additional.id)
}

async function listed(app: AuthApp, asked: Asked = {}): Promise<readonly Comment[]> {
  return (await app.ask(PATH, asked)).additional.comments as readonly Comment[]
}

t.test('in accounts mode, nobody speaks or deletes in the name of another', async t => {
  const app = await open(t, 'accounts')
  const asha = { session: (await app.signedIn('asha')).session.token }
  const ben = { session: (await app.signedIn('ben')).session.token }
  const viewer = { session: (await app.signedIn('vera', 'viewer')).session.token }
  const body = { text: 'Rain is likely.' }
  const number = await post(app, { ...asha, body })
  t.match(await listed(app), [{ id: number, userid: 'asha', text: body.text, position: null, hidden: null }])

  const refused = async (path: string, asked: Asked, status: number, reason: string) => {
    const answer = await app.ask(path, asked)
    t.same([answer.status, answer.reason], [status, reason], `${asked.method ?? 'POST'} ${path}`)
  }
  await refused(PATH, { body }, 401, 'token_missing')
  await refused(PATH, { ...viewer, body }, 403, 'scope_missing')
  await refused(PATH, { ...ben, body: { ...body, userid: 'asha' } }, 403, 'other_user')
  const own = `${PATH}/${number}`
  await refused(own, { method: 'DELETE' }, 401, 'token_missing')
  await refused(own, { method: 'DELETE', ...ben }, 404, 'comment_not_found')
  await refused(`${own}?userid=asha`, { method: 'DELETE', ...ben }, 403, 'other_user')
  await refused(`${own}/hide`, { ...ben, body: { reason: 'mine' } }, 403, 'operator_only')
  await refused(`${own}/unhide`, { method: 'POST', ...asha }, 403, 'operator_only')
  await refused(`/events/1000002/comments/${number}`, { method: 'DELETE', ...asha }, 404, 'event_not_found')
  for (const wrong of ['0', '01', '1e1', 'x', '9'.repeat(30)]) {
    await refused(`${PATH}/${wrong}`, { method: 'DELETE', ...asha }, 404, 'comment_not_found')
  }
  t.equal((await listed(app)).length, 1, 'it is still there')
  t.equal((await app.ask(own, { method: 'DELETE', ...asha })).status, 200)
  await refused(own, { method: 'DELETE', ...asha }, 404, 'comment_not_found')
  t.same(await listed(app), [])
  t.same(app.faults, [])
})

t.test('a hidden comment is read by operators only, and the audit log has the reason', async t => {
  const app = await open(t, 'accounts')
  const asha = { session: (await app.signedIn('asha')).session.token }
  const number = await post(app, { ...asha, body: { text: 'Buy from\nmy shop!' } })
  const reason = 'Advertising'
  const hide = { ...operator, body: { reason } }
  t.equal(
    (await app.ask(`${PATH}/${number}/hide`, { ...operator, body: {} })).status,
    422,
    'not without a reason',
  )
  t.equal((await app.ask(`${PATH}/${number}/hide`, hide)).status, 200)
  for (const reader of [{}, asha]) {
    t.match(await listed(app, reader), [{ text: null, position: null, hidden: { reason: null } }])
    t.notMatch(JSON.stringify(await listed(app, reader)), /shop|Advertising/)
  }
  t.match(await listed(app, operator), [{ text: 'Buy from\nmy shop!', hidden: { reason } }])
  const { account: staff } = await app.signedIn('olga', 'operator')
  for (const scope of ['operate', 'money', 'trade'] as const) {
    const draft = { name: scope, scopes: [scope] }
    const { token } = granted(app.store.keys.make(staff, draft, { by: 'olga', address: '' }))
    t.match(await listed(app, { bearer: token }), [{ text: null, hidden: { reason: null } }], scope)
    if (scope !== 'operate') continue
    const again = await app.ask(`${PATH}/${number}/hide`, { bearer: token, body: { reason } })
    t.match(again, { status: 200, additional: { text: null, hidden: { reason: null } } })
  }
  const detail = `event 1000001, comment ${number}: ${reason} (Buy from my shop!)`
  const line = app.store.audit.list({ kind: 'comment_hidden', limit: 9 }).lines.at(-1)
  t.match(line, { kind: 'comment_hidden', name: 'asha', by: 'token', address: '127.0.0.1', detail })
  t.equal((await app.ask(`${PATH}/${number}/unhide`, { method: 'POST', ...operator })).status, 200)
  t.match(await listed(app), [{ text: 'Buy from\nmy shop!', hidden: null }])
  t.match(app.store.audit.list({ limit: 1 }).lines, [{ kind: 'comment_shown' }])
})

t.test('what authors hold is shown if they wish, as of now, and never otherwise', async t => {
  const app = await open(t, 'open')
  await app.test.playAll(['asha buy 10 @ 6', 'ben sell 4 @ 6'])
  await post(app, { body: { userid: 'asha', text: 'I hold some.', show_position: true } })
  await post(app, { body: { userid: 'ben', text: 'I do not say.' } })
  await post(app, { body: { userid: 'newcomer', text: 'I have no account yet.', show_position: true } })
  const positions = async () => (await listed(app)).map(({ position }) => position)
  t.same(await positions(), [null, null, { yes: 4, no: 0 }])
  await app.test.playAll(['ben sell 3 @ 6'])
  t.same(await positions(), [null, null, { yes: 7, no: 0 }])
})

t.test('text is only text: cleaned, bounded, and returned as it is', async t => {
  const app = await open(t, 'open')
  const markup = '<img src=x onerror=alert(1)> [link](javascript:alert(1))'
  await post(app, {
    body: { userid: 'asha', text: `  ${markup}\u202e\u200b\n\n\n\nend\0`.replace('\0', '') },
  })
  t.match(await listed(app), [{ text: `${markup}\n\nend` }])
  const refused = async (fields: object, message: string) => {
    const answer = await app.ask(PATH, { body: { userid: 'asha', text: 'fine', ...fields } })
    t.same([answer.status, answer.message], [422, message])
  }
  await refused({ text: undefined }, 'text: Required')
  await refused({ text: '\u200b \n' }, 'text: Expected 1 to 1000 characters')
  await refused({ text: 'x'.repeat(1001) }, 'text: Expected 1 to 1000 characters')
  await refused({ text: 'x\n'.repeat(41) }, 'text: Expected at most 40 lines')
  await refused({ text: 7 }, 'text: Expected string, received number')
  await refused({ text: 'a\0b' }, 'text: Expected text without lone surrogates or NUL')
  await refused({ show_position: 'yes' }, 'show_position: Expected boolean, received string')
  await refused({ userid: undefined }, 'userid: Required')
  await refused({ userid: 'house' }, 'userid: Expected another: house is reserved')
  t.equal((await listed(app)).length, 1)
})

t.test('pages go on after the last comment, also when some are deleted meanwhile', async t => {
  const app = await open(t, 'open')
  const numbers: number[] = []
  for (const text of ['one', 'two', 'three', 'four'])
    numbers.push(await post(app, { body: { userid: 'asha', text } }))
  const first = (await app.ask(`${PATH}?limit=2`)).additional
  t.match(first, { comments: [{ text: 'four' }, { text: 'three' }], next_cursor: String(numbers[2]) })
  await app.ask(`${PATH}/${numbers[2]}?userid=asha`, { method: 'DELETE' })
  const second = (await app.ask(`${PATH}?limit=2&cursor=${first.next_cursor}`)).additional
  t.match(second, { comments: [{ text: 'two' }, { text: 'one' }], next_cursor: null })
  t.ok(
    (await post(app, { body: { userid: 'asha', text: 'five' } })) > Number(numbers[3]),
    'no number comes twice',
  )
})

const ALL = '/comments'

async function listedToOperator(app: AuthApp, query = ''): Promise<readonly ListedComment[]> {
  return (await app.ask(`${ALL}${query}`, operator)).additional.comments as readonly ListedComment[]
}

t.test('only operators read the comments of all events, in every mode', async t => {
  for (const mode of ['open', 'accounts'] as const) {
    const app = await open(t, mode)
    await app.test.create({ title: 'Will it snow?' })
    const asha = mode === 'open' ? {} : { session: (await app.signedIn('asha')).session.token }
    const number = await post(app, { ...asha, body: { userid: 'asha', text: '<b>Buy</b> here!' } })
    const hide = { ...operator, body: { reason: 'Advertising' } }
    t.equal((await app.ask(`${PATH}/${number}/hide`, hide)).status, 200)
    const second = { ...asha, method: 'POST', body: { userid: 'asha', text: 'Snow.' } }
    t.equal((await app.ask('/events/1000002/comments', second)).status, 201)
    for (const reader of [{}, asha]) {
      const answer = await app.ask(ALL, reader)
      t.match(answer, { status: 'session' in reader ? 403 : 401 })
      t.notMatch(JSON.stringify(answer), /Buy|Advertising|Snow/)
    }
    const [snow, ad] = await listedToOperator(app)
    t.match(snow, {
      event_id: '1000002',
      title: 'Will it snow?',
      userid: 'asha',
      text: 'Snow.',
      hidden: null,
    })
    const hidden = { by: 'token', reason: 'Advertising', at: ad?.createdAt }
    t.match(ad, { id: number, event_id: '1000001', text: '<b>Buy</b> here!', hidden })
    t.notMatch(JSON.stringify(await listed(app, asha)), /token/, 'others do not see who hid it')
    t.same(app.faults, [])
  }
})

t.test(
  'operators find comments by their text as it is, by author, and by whether they are hidden',
  async t => {
    const app = await open(t, 'open')
    const texts = ['100% sure', '1000 sure', 'snake_case', 'snakeXcase', `O'Neil said "no" \\`, 'ÉCOLE रात']
    for (const text of texts) await post(app, { body: { userid: 'asha', text } })
    await post(app, { body: { userid: 'ben', text: 'surely' } })
    await app.ask(`${PATH}/1/hide`, { ...operator, body: { reason: 'Boasting' } })
    const found = async (query: string) => (await listedToOperator(app, query)).map(({ text }) => text)
    const searched = (q: string) => found(`?q=${encodeURIComponent(q)}`)
    t.same(await searched('0%'), ['100% sure'])
    t.same(await searched('%'), ['100% sure'])
    t.same(await searched('_'), ['snake_case'])
    t.same(await searched(`'`), [texts[4]])
    t.same(await searched('"no" \\'), [texts[4]])
    t.same(await searched(`' OR '1'='1`), [])
    t.same(await searched('e\u0301cole'), ['ÉCOLE रात'], 'in any case, composed or not')
    t.same(await searched('SURE'), ['surely', '1000 sure', '100% sure'])
    t.same(await found('?q=sure&userid=asha'), ['1000 sure', '100% sure'])
    t.same(await found('?status=hidden'), ['100% sure'])
    t.same(await found('?status=hidden&userid=ben'), [])
    t.same(await found('?status=hidden&q=snake'), [])
    t.notOk((await found('?status=visible')).includes('100% sure'))
    t.same(await found('?userid=nobody'), [])
    for (const wrong of [
      'limit=0',
      'limit=1001',
      'cursor=x',
      'status=gone',
      `q=${'x'.repeat(201)}`,
      'search=x',
    ]) {
      t.equal((await app.ask(`${ALL}?${wrong}`, operator)).status, 422, wrong)
    }
  },
)

t.test('a list of all comments neither skips nor repeats when some come and go', async t => {
  const app = await open(t, 'open')
  for (let number = 1; number <= 6; number++) {
    await post(app, { body: { userid: 'asha', text: `number ${number}` } })
  }
  const page = async (query: string) => {
    const { comments, next_cursor } = (await app.ask(`${ALL}?limit=2${query}`, operator)).additional
    return [(comments as ListedComment[]).map(({ id }) => id), next_cursor]
  }
  t.same(await page(''), [[6, 5], '5'])
  for (const gone of [5, 4]) await app.ask(`${PATH}/${gone}?userid=asha`, { method: 'DELETE' })
  await post(app, { body: { userid: 'asha', text: 'number 7' } })
  t.same(await page('&cursor=5'), [[3, 2], '2'])
  t.same(await page('&cursor=2'), [[1], null])
})

t.test('what an operator deletes is in the audit log, and what authors delete is not', async t => {
  for (const mode of ['open', 'accounts'] as const) {
    const app = await open(t, mode)
    const asha = mode === 'open' ? {} : { session: (await app.signedIn('asha')).session.token }
    const own = await post(app, { ...asha, body: { userid: 'asha', text: 'My mistake.' } })
    const bad = await post(app, { ...asha, body: { userid: 'asha', text: 'Rude\nwords' } })
    const remove = (path: string, asked: Asked) => app.ask(path, { method: 'DELETE', ...asked })
    const deletions = () => app.store.audit.list({ kind: 'comment_deleted', limit: 10 }).lines
    for (const reader of [{}, asha]) {
      const { status } = await remove(`${ALL}/${bad}`, reader)
      t.equal(status, 'session' in reader ? 403 : 401)
    }
    t.equal((await remove(`${PATH}/${own}?userid=asha`, asha)).status, 200)
    t.same(deletions(), [])
    t.equal((await remove(`${ALL}/${bad}`, operator)).status, 200, mode)
    for (const gone of [bad, 'x', '01']) t.equal((await remove(`${ALL}/${gone}`, operator)).status, 404)
    const detail = `event 1000001, comment ${bad} (Rude words)`
    t.match(deletions(), [{ name: 'asha', by: 'token', address: '127.0.0.1', detail }])
    t.same(await listedToOperator(app), [])
    if (mode === 'open') continue
    const third = await post(app, { ...asha, body: { text: 'Rude again' } })
    t.equal((await remove(`${PATH}/${third}?userid=asha`, operator)).status, 200)
    t.equal(deletions().length, 2, "also in the author's name")
  }
})

t.test('a comment mentions users who exist, at most five, and never its author', async t => {
  const app = await open(t, 'accounts')
  const session = async (name: string) => ({ session: (await app.signedIn(name)).session.token })
  const asha = await session('asha')
  const others = ['ben', 'cara', 'dev.', 'esha', 'farid', 'gita']
  const sessions = new Map<string, Asked>()
  for (const name of others) sessions.set(name.replace('.', ''), await session(name.replace('.', '')))
  const mentioned = async (text: string) => {
    const number = await post(app, { ...asha, body: { text } })
    const names: string[] = []
    for (const [name, asked] of sessions) {
      const { additional } = await app.ask(`/portfolio/${name}/mentions`, asked)
      const [newest] = additional.comments as readonly Comment[]
      if (newest?.id === number) names.push(name)
    }
    return names.join()
  }
  t.equal(await mentioned('@ben, rain? Ask @Cara. (@dev.)'), 'ben,cara,dev')
  t.equal(await mentioned('@ben @ben @BEN'), 'ben', 'each once')
  t.equal(await mentioned('mail asha@ben or x.@ben, a@cara.example, @@dev, @nobody, @benny, @'), '')
  t.equal(await mentioned('@asha'), '', 'nor the author')
  t.equal(await mentioned('@gita @ben @cara @dev @esha @farid'), 'ben,cara,dev,esha,gita', 'the first five')
  const strangers = Array.from({ length: 20 }, (_, index) => `@nobody${index}`)
  t.equal(await mentioned([...strangers, '@ben'].join(' ')), '', 'a bounded number of names is looked up')
  t.same((await app.ask('/portfolio/asha/mentions', asha)).additional.comments, [])
  t.same(app.faults, [])
})

t.test('mentions are their user’s alone, and no hidden or deleted comment is among them', async t => {
  const app = await open(t, 'accounts')
  const asha = { session: (await app.signedIn('asha')).session.token }
  const ben = { session: (await app.signedIn('ben')).session.token }
  const numbers: number[] = []
  for (const day of ['Monday', 'Tuesday', 'Friday']) {
    numbers.push(await post(app, { ...asha, body: { text: `@ben, on ${day}?`, show_position: true } }))
  }
  const [first = 0, second = 0, third = 0] = numbers
  const seen = async (query = '') => {
    const { additional } = await app.ask(MENTIONS + query, ben)
    const comments = additional.comments as readonly Comment[]
    return [comments.map(({ id }) => id), additional.next_cursor]
  }
  t.same(await seen(), [[third, second, first], null])
  t.same(await seen('?limit=2'), [[third, second], String(second)])
  t.same(await seen(`?cursor=${second}`), [[first], null])
  t.same((await app.ask(`${MENTIONS}?cursor=x`, ben)).status, 422)
  for (const asked of [{}, asha]) t.match((await app.ask(MENTIONS, asked)).reason, /token_missing|other_user/)

  const hide = { ...operator, body: { reason: 'Off topic' } }
  t.equal((await app.ask(`${PATH}/${second}/hide`, hide)).status, 200)
  t.same(await seen(), [[third, first], null])
  t.same(await seen('?limit=2'), [[third], String(second)], 'a page may be short')
  t.equal((await app.ask(`${PATH}/${third}`, { method: 'DELETE', ...asha })).status, 200)
  t.same(await seen(), [[first], null])
  t.equal((await app.ask(`${PATH}/${second}/unhide`, { method: 'POST', ...operator })).status, 200)
  t.same(await seen(), [[second, first], null])
  t.same(app.faults, [])
})

t.test('in open mode a mention means the user whose id it is, or the only one who is spelled so', async t => {
  const app = await open(t, 'open')
  await app.test.playAll(['Ben buy 1 @ 4', 'ben sell 1 @ 9', 'आशा buy 1 @ 3', 'शक्\u200dति buy 1 @ 2'])
  const mentioned = async (text: string, name: string) => {
    const id = await post(app, { body: { userid: 'ravi', text } })
    const { additional } = await app.ask(`/portfolio/${encodeURIComponent(name)}/mentions`)
    return (additional.comments as readonly Comment[])[0]?.id === id
  }
  t.ok(await mentioned('@Ben', 'Ben'))
  t.notOk(await mentioned('@Ben', 'ben'))
  t.notOk(await mentioned('@BEN', 'Ben'), 'it could be either')
  t.ok(await mentioned('देखो @आशा।', 'आशा'))
  t.ok(await mentioned('@शक्\u200dति', 'शक्\u200dति'), 'joiners are part of words')
})
