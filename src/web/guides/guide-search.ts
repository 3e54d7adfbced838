/** One section of a guide, as `bin/guide-sections.js` writes it. */
interface Section {
  readonly address: string
  readonly guide: string
  readonly heading: string
  readonly text: string
}

const RESULTS_MAX = 20
/** Characters of a section around the first word that was found. */
const EXCERPT_LENGTH = 140

/** Shows the search of the guides, which needs this script, and loads their texts once it is used. */
const box = document.querySelector<HTMLElement>('.guide-search')
const input = box?.querySelector('input')
const list = box?.querySelector('ol')
const said = box?.querySelector('[role=status]')
let loading: Promise<readonly Section[]> | undefined

if (box && input && list && said) {
  box.hidden = false
  input.addEventListener('focus', () => void sections().catch(() => undefined))
  input.addEventListener('input', () => void search(input.value, list, said))
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') list.querySelector('a')?.click()
  })
  document.addEventListener('keydown', event => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    input.focus()
  })
}

function sections(): Promise<readonly Section[]> {
  loading ??= fetch(box?.dataset.index ?? '').then(answer => {
    if (!answer.ok) throw new Error(`the index is ${answer.status}`)
    return answer.json() as Promise<readonly Section[]>
  })
  loading.catch(() => {
    loading = undefined
  })
  return loading
}

async function search(typed: string, results: HTMLElement, said: Element): Promise<void> {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) {
    results.replaceChildren()
    said.textContent = ''
    return
  }
  const all = await sections().catch(() => undefined)
  // What was typed meanwhile has a search of its own.
  if (input?.value !== typed) return
  const found = all && ranked(all, words)
  results.replaceChildren()
  for (const section of (found ?? []).slice(0, RESULTS_MAX)) results.append(result(section, words))
  said.textContent = found === undefined ? (box?.dataset.failed ?? '') : countOf(found.length)
}

/** Returns the sections with all words, those first that have more of them in their headings. */
function ranked(all: readonly Section[], words: readonly string[]): readonly Section[] {
  const count = (text: string) => words.filter(word => text.toLowerCase().includes(word)).length
  return all
    .filter(({ guide, heading, text }) => count(`${guide} ${heading} ${text}`) === words.length)
    .map(section => ({ section, rank: 2 * count(section.heading) + count(section.guide) }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ section }) => section)
}

/** Returns how many were found, in the words of the page. */
function countOf(found: number): string {
  const { none = '', one = '', many = '' } = box?.dataset ?? {}
  return (found === 0 ? none : found === 1 ? one : many).replace('#', String(found))
}

function result({ address, guide, heading, text }: Section, words: readonly string[]): HTMLElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = address
  link.textContent = heading === guide ? guide : `${guide}: ${heading}`
  const excerpt = document.createElement('p')
  for (const part of marked(excerptOf(text, words), words)) excerpt.append(part)
  item.append(link, excerpt)
  return item
}

/** Cuts a part of a text that begins a little before the first word found. */
function excerptOf(text: string, words: readonly string[]): string {
  const places = words.map(word => text.toLowerCase().indexOf(word)).filter(place => place >= 0)
  const [place = 0] = places.sort((a, b) => a - b)
  const first = Math.max(0, place - EXCERPT_LENGTH / 4)
  const start = first === 0 ? 0 : text.indexOf(' ', first) + 1
  return `${start > 0 ? '… ' : ''}${text.slice(start, start + EXCERPT_LENGTH)}…`
}

function marked(text: string, words: readonly string[]): (string | HTMLElement)[] {
  const pattern = new RegExp(
    `(${words.map(word => word.replace(/[^\p{L}\p{N}]/gu, '\\$&')).join('|')})`,
    'gi',
  )
  return text.split(pattern).map((part, index) => {
    if (index % 2 === 0) return part
    const mark = document.createElement('mark')
    mark.textContent = part
    return mark
  })
}
