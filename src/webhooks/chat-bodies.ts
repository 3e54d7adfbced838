import type { WebhookFormat } from '../api/operator/webhook-shape.js'
import { CHAT_TEXTS } from './chat-texts.js'
import type { News, Sender } from './message-bodies.js'
import { linkTo, standardBody } from './message-bodies.js'
import type { Digest } from './weekly-digest.js'

/** Characters of a user's text in a message: each may take two where it is escaped. */
const TITLE_LENGTH_MAX = 300
const DIGEST_TITLE_LENGTH_MAX = 80
/** An at sign, in both widths: an invisible character behind it keeps chats from finding a name there. */
const AT_SIGN = /[@＠]/gu
const BREAK = '\u200B'
/** Control characters, and those that turn the direction of what follows. */
const UNSEEN = /[\p{Cc}\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]+/gu

/** A message in words: what happened, how it stands, where to look. */
interface Words {
  readonly headline: string
  readonly detail: string
  readonly link: string | undefined
}

type Escape = (text: string) => string

/** Returns the body of a message in a format. */
export function bodyOf(news: News, format: string, sender: Sender): string {
  const write = FORMATS[format as Exclude<WebhookFormat, 'standard'>]
  return write === undefined ? standardBody(news, sender) : JSON.stringify(write(news, sender))
}

const FORMATS: Readonly<Record<Exclude<WebhookFormat, 'standard'>, (news: News, sender: Sender) => object>> =
  {
    // https://docs.slack.dev/messaging/formatting-message-text: three characters are escaped.
    slack: (news, sender) => ({
      text: linesOf(wordsOf(news, sender, slackText)),
      mrkdwn: false,
      unfurl_links: false,
      unfurl_media: false,
    }),
    // https://discord.com/developers/docs/resources/webhook#execute-webhook: at most 2,000 characters.
    discord: (news, sender) => ({
      content: linesOf(wordsOf(news, sender, discordText)),
      allowed_mentions: { parse: [] },
      // Shows no preview of the link.
      flags: 4,
    }),
    // An adaptive card; the text runs in it have no markup.
    teams: (news, sender) => card(wordsOf(news, sender, plain), CHAT_TEXTS[sender.language].open),
    // https://core.telegram.org/bots/api#sendmessage: plain text, 4,096 characters at most.
    telegram: (news, sender) => ({
      text: linesOf(wordsOf(news, sender, plain)),
      link_preview_options: { is_disabled: true },
    }),
  }

function card({ headline, detail, link }: Words, open: string): object {
  const line = (text: string, more = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...more }],
  })
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      line(headline, { weight: 'bolder' }),
      ...(detail === '' ? [] : detail.split('\n').map(text => line(text))),
    ],
    ...(link !== undefined && { actions: [{ type: 'Action.OpenUrl', title: open, url: link }] }),
  }
  const contentType = 'application/vnd.microsoft.card.adaptive'
  return { type: 'message', attachments: [{ contentType, content }] }
}

function linesOf({ headline, detail, link }: Words): string {
  return [headline, detail, link].filter(line => line !== undefined && line !== '').join('\n')
}

function wordsOf(news: News, sender: Sender, escaped: Escape): Words {
  const texts = CHAT_TEXTS[sender.language]
  const { kind, subject, outcome, winner } = news
  const shown = (text: string) => escaped(withoutNames(text))
  if (kind === 'test' || subject === undefined) {
    const name = shown(sender.name)
    return {
      headline: kind === 'test' ? texts.test(name) : texts[kind](name),
      detail: news.digest ? digestText(news.digest, sender, escaped) : shown(news.detail ?? ''),
      link: sender.publicUrl,
    }
  }
  const result = winner === undefined ? outcome && texts.outcomes[outcome] : shown(winner)
  const detail = result ?? stateOf(news, sender)
  return { headline: texts[kind](shown(subject.title)), detail, link: linkTo(subject, sender) }
}

/** Says how many events there are, and how those stand that are traded most. */
function digestText({ open, created, top }: Digest, { language }: Sender, escaped: Escape): string {
  const texts = CHAT_TEXTS[language]
  const number = new Intl.NumberFormat(texts.locale)
  const lines = top.map(({ title, chance }) => {
    const percent = chance === null ? '–' : `${Math.round(chance * 100)}%`
    return `${percent} · ${escaped(withoutNames(title, DIGEST_TITLE_LENGTH_MAX))}`
  })
  return [texts.counts(number.format(open), number.format(created)), ...lines].join('\n')
}

/** Says how an event without a result stands: its chance, and when trading ends. */
function stateOf({ kind, subject, change }: News, { language, timeZone }: Sender): string {
  const texts = CHAT_TEXTS[language]
  if (subject === undefined) return ''
  const { chance, endsAt, isGroup } = subject
  const chanceText = chance === undefined ? texts.noPrice : texts.chance(`${Math.round(chance * 100)}%`)
  const format = new Intl.DateTimeFormat(texts.locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const closes =
    kind === 'awaiting_result' || endsAt === undefined ? [] : [texts.closes(format.format(endsAt))]
  const points = change === undefined ? '' : ` (${texts.points(signedPoints(change))})`
  return [...(isGroup ? [] : [chanceText + points]), ...closes].join(' · ')
}

/** Returns a user's text on one line, bounded, in which no chat finds the name of anyone. */
function withoutNames(text: string, lengthMax = TITLE_LENGTH_MAX): string {
  const line = text.replace(UNSEEN, ' ').trim()
  const letters = Array.from(line)
  const cut = letters.length <= lengthMax ? line : `${letters.slice(0, lengthMax - 1).join('')}…`
  return cut.replace(AT_SIGN, sign => sign + BREAK)
}

function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function discordText(text: string): string {
  return text.replace(/[\\*_~`|>#<:()[\]-]/g, sign => `\\${sign}`)
}

function plain(text: string): string {
  return text
}

/** `+12` for a change of 0.12. */
function signedPoints(change: number): string {
  const points = Math.round(change * 100)
  return points < 0 ? `−${-points}` : `+${points}`
}
