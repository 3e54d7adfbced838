// Renders the guides of src/docs/guides as the bodies of HTML pages. GitHub shows the same Markdown files.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import { Marked } from 'marked'
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id'
import { markedHighlight } from 'marked-highlight'
import { sectionsOf } from './guide-sections.js'

hljs.registerLanguage('sh', bash)
hljs.registerLanguage('js', javascript)
hljs.registerLanguage('ts', javascript)
hljs.registerLanguage('json', json)

/** The guides by reader, in the order in which a reader meets them. */
const PARTS = [
  ['For traders', ['trading', 'seasons', 'pages']],
  ['For programs', ['http-api', 'websocket', 'client', 'webhooks', 'specification']],
  [
    'For operators',
    [
      'operating',
      'command-line',
      'configuration',
      'deploying',
      'access',
      'single-sign-on',
      'backups',
      'replication',
    ],
  ],
  ['In depth', ['exports', 'limits', 'durability', 'security', 'performance', 'architecture', 'invariants']],
  ['Versions', ['changelog', 'releases']],
]
const ORDER = PARTS.flatMap(([, names]) => names)

/**
 * Reads and renders every guide of a directory.
 *
 * @returns in reading order: the name in the address, the part it belongs to, the title, the first sentence as
 * text, the body as HTML, the second-level headings, and the sections to search
 */
export function renderGuides(directory) {
  const names = readdirSync(directory)
    .filter(name => name.endsWith('.md'))
    .map(name => name.slice(0, -'.md'.length))
  for (const name of names) {
    if (!ORDER.includes(name)) throw new Error(`${name}.md has no place in the order of bin/render-guides.js`)
  }
  names.sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))
  return names.map(name => renderGuide(name, readFileSync(join(directory, `${name}.md`), 'utf8')))
}

function renderGuide(name, markdown) {
  const title = /^# (.+)$/m.exec(markdown)?.[1]
  if (title === undefined) throw new Error(`${name}.md begins with no title`)
  const marked = new Marked(
    gfmHeadingId(),
    markedHighlight({
      langPrefix: 'language-',
      highlight: (code, language) =>
        hljs.getLanguage(language) === undefined ? escaped(code) : hljs.highlight(code, { language }).value,
    }),
    { walkTokens: servedAddress, renderer: { table: scrollingTable, code: focusableCode } },
  )
  const body = marked.parse(markdown)
  const headings = getHeadingList()
  const sections = headings.filter(({ level }) => level === 2).map(({ id, text }) => ({ id, text }))
  const searched = sectionsOf(name, title, markdown, headings)
  const part = PARTS.find(([, names]) => names.includes(name))?.[0]
  return { name, part, title, summary: summaryOf(markdown), body, sections, searched }
}

/** Turns links between the files, as GitHub follows them, into addresses of the exchange. */
function servedAddress(token) {
  if (token.type !== 'link' && token.type !== 'image') return
  token.href = token.href
    .replace(/^([\w-]+)\.md(?=$|#)/, '/docs/guides/$1')
    .replace(/^pictures\//, '/docs/guides/pictures/')
}

/** Lets a wide table scroll by itself instead of widening the page. */
function scrollingTable(token) {
  const cells = row => row.map(cell => `<td>${this.parser.parseInline(cell.tokens)}</td>`).join('')
  const isHeadless = token.header.every(({ text }) => text === '')
  const head = token.header
    .map(cell => `<th scope="col">${this.parser.parseInline(cell.tokens)}</th>`)
    .join('')
  return [
    '<div class="wide" tabindex="0" role="region" aria-label="Table"><table>',
    isHeadless ? '' : `<thead><tr>${head}</tr></thead>`,
    `<tbody>${token.rows.map(row => `<tr>${cells(row)}</tr>`).join('\n')}</tbody></table></div>\n`,
  ].join('')
}

/** Lets the keyboard reach a code block that scrolls. */
function focusableCode({ text, lang = '', escaped: isEscaped }) {
  const code = isEscaped ? text : escaped(text)
  return `<pre tabindex="0"><code class="language-${lang}">${code}</code></pre>\n`
}

function summaryOf(markdown) {
  const paragraph = markdown.split(/\n\n+/).find(text => /^[\w`[]/.test(text.trim())) ?? ''
  const text = paragraph
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text
}

function escaped(text) {
  return text.replace(/[&<>"]/g, char => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char])
}
