import { readFileSync } from 'node:fs'
import t from 'tap'
import type { WebhookFormat } from '../../src/api/operator/webhook-shape.js'
import { WEBHOOK_EVENTS, WEBHOOK_FORMATS } from '../../src/api/operator/webhook-shape.js'
import { bodyOf } from '../../src/webhooks/chat-bodies.js'
import type { News, Sender, Subject } from '../../src/webhooks/message-bodies.js'

const AT = Date.parse('2026-11-28T10:00:00.000Z')
const NASTY = '@everyone <!channel> <@U1> [x](https://evil.example) *b* _i_ `c` &amp; \u202Eabc\n# big'
const SITE: Sender = {
  name: 'Raay',
  publicUrl: 'https://raay.example.org',
  language: 'en',
  timeZone: 'Asia/Kolkata',
}
const subject = (changes: Partial<Subject> = {}): Subject => ({
  ...{ code: 1_000_001, isGroup: false, title: 'Rain in Mumbai?', label: undefined, group: undefined },
  ...{ chance: 0.624, endsAt: AT + 86_400_000 },
  ...changes,
})
const news = (changes: Partial<News> = {}): News => ({
  kind: 'created',
  at: AT,
  subject: subject(),
  ...changes,
})
const CHATS = WEBHOOK_FORMATS.filter(format => format !== 'standard')
const read = (format: WebhookFormat, what: News, site = SITE) => JSON.parse(bodyOf(what, format, site))

t.test('each format says what happened, with chance and link', async t => {
  const created = 'New: Rain in Mumbai?'
  const detail = '62% chance of YES · Closes 29 Nov 2026, 3:30 pm'
  const link = 'https://raay.example.org/market/1000001'
  const lines = [created, detail, link].join('\n')
  t.same(read('slack', news()), { text: lines, mrkdwn: false, unfurl_links: false, unfurl_media: false })
  t.same(read('discord', news()), { content: lines, allowed_mentions: { parse: [] }, flags: 4 })
  t.same(read('telegram', news()), { text: lines, link_preview_options: { is_disabled: true } })
  const run = (text: string, more = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...more }],
  })
  t.same(read('teams', news()), {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [run(created, { weight: 'bolder' }), run(detail)],
          actions: [{ type: 'Action.OpenUrl', title: 'Open the market', url: link }],
        },
      },
    ],
  })
})

t.test('results, groups and halts, in both languages', async t => {
  const text = (what: Partial<News>, site = SITE) => read('telegram', news(what), site).text.split('\n')
  t.same(text({ kind: 'resolved', outcome: 'no' }).slice(0, 2), ['Result: Rain in Mumbai?', 'NO'])
  const cup = subject({ isGroup: true, chance: undefined, title: 'Cup' })
  t.same(text({ kind: 'resolved', subject: cup, outcome: 'yes', winner: 'India' }), [
    ...['Result: Cup', 'India', 'https://raay.example.org/group/1000001'],
  ])
  t.same(
    text({ kind: 'halted', subject: subject({ chance: undefined, endsAt: undefined }) })[1],
    'No price yet',
  )
  t.same(text({ kind: 'awaiting_result' })[1], '62% chance of YES')
  t.match(text({ kind: 'moved', change: 0.12 })[1], /^62% chance of YES [(][+]12 points[)] · Closes/)
  t.match(text({ kind: 'moved', change: -0.125 })[1], '62% chance of YES (−12 points)')
  const trouble = { kind: 'backup_failed', at: AT, detail: 'no room for @all' } as const
  t.match(read('telegram', trouble).text, /^A backup of Raay has failed\nno room for @\u200Ball\n/)
  const hindi: Sender = { ...SITE, language: 'hi', publicUrl: undefined }
  t.same(text({ kind: 'resolved', outcome: 'yes' }, hindi), ['नतीजा: Rain in Mumbai?', 'हाँ'])
  t.match(text({ kind: 'created' }, hindi)[1], /‘हाँ’ की संभावना 62%/)
  for (const kind of WEBHOOK_EVENTS) {
    t.notMatch(text({ kind }, hindi)[0], /^[A-Z]/, `${kind} is in Hindi`)
    t.match(text({ kind })[0], /Rain in Mumbai/)
  }
  t.same(read('slack', { kind: 'test', at: AT }).text, 'A test message from Raay\nhttps://raay.example.org')
})

t.test("users' texts mention nobody, mark nothing up and stay on their line", async t => {
  for (const format of CHATS) {
    const body = bodyOf(news({ subject: subject({ title: NASTY }) }), format, SITE)
    t.notMatch(body, /[@＠](?!\u200B)/, `${format}: no name`)
    t.notMatch(body, /\u202E/, `${format}: no turned text`)
    const { text, content, attachments } = JSON.parse(body)
    const shown = text ?? content ?? attachments[0].content.body[0].inlines[0].text
    t.match(shown.split('\n')[0], /big/, `${format}: on one line`)
  }
  const { text } = read('slack', news({ subject: subject({ title: NASTY }) }))
  t.notMatch(text, /[<>]/)
  t.match(text, '&amp;amp;')
  const { content } = read('discord', news({ subject: subject({ title: NASTY }) }))
  const [first] = content.split('\n')
  t.notMatch(first, /(?<!\\)[*_`[\]()<>#]/, 'each sign of markup is escaped')
  const winner = read('slack', news({ kind: 'resolved', winner: '<!here> @here' })).text
  t.notMatch(winner, /[<>]|@(?!\u200B)/)
})

t.test("the longest titles stay within each chat's limit", async t => {
  const limits = { slack: 4000, discord: 2000, teams: 28_000, telegram: 4096 } as const
  for (const format of CHATS) {
    for (const sign of ['*', '&', '@', '\\', 'ह', '😀']) {
      const title = sign.repeat(2000)
      const body = bodyOf(
        news({ kind: 'resolved', subject: subject({ title }), winner: title }),
        format,
        SITE,
      )
      const { text, content } = JSON.parse(body)
      const length = (text ?? content ?? body).length
      t.ok(length <= limits[format as keyof typeof limits], `${format} ${sign}: ${length}`)
    }
  }
})

t.test('a week is summed up in a few lines, whatever the titles', async t => {
  const top = [
    { code: 1, title: NASTY, chance: 0.5 },
    { code: 2, title: 'Snow?', chance: null },
  ]
  const week = { kind: 'weekly_digest', at: AT, digest: { open: 1200, created: 4, top } } as const
  const lines = read('telegram', week).text.split('\n')
  t.same([lines[0], lines[1], lines[3]], ['The week on Raay', '1,200 open, 4 new in seven days', '– · Snow?'])
  t.match(lines[2], /^50% · @\u200Beveryone/)
  t.equal(lines.length, 5)
  const { content } = read('teams', week).attachments[0]
  t.equal(content.body.length, 4)
  t.match(JSON.parse(bodyOf(week, 'standard', SITE)).data, {
    ...{ open: 1200, created: 4 },
    top: [{ event_id: '1', chance: 0.5, url: 'https://raay.example.org/market/1' }, { chance: null }],
  })
  const long = { code: 1, title: '*@'.repeat(300), chance: 0.5 }
  const most = { ...week, digest: { ...week.digest, top: Array.from({ length: 5 }, () => long) } }
  t.ok(read('discord', most).content.length <= 2000)
})

t.test('the guide names each format', async t => {
  const guide = readFileSync(new URL('../../../src/docs/guides/webhooks.md', import.meta.url), 'utf8')
  for (const format of WEBHOOK_FORMATS) t.match(guide, `\`${format}\``)
  for (const event of WEBHOOK_EVENTS) t.match(guide, `\`${event}\``)
})
