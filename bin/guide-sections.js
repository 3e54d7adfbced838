// Cuts guides into sections for their search: one for each heading, with the text below it.

/** Sections below smaller headings belong to the one above. */
const LEVEL_MAX = 3

/**
 * Lists the sections of a guide.
 *
 * @param markdown the guide
 * @param headings its headings in order, as marked-gfm-heading-id lists them
 */
export function sectionsOf(name, title, markdown, headings) {
  const parts = partsOf(markdown)
  if (parts.length !== headings.length) {
    throw new Error(`${name}.md: ${parts.length} headings were read, ${headings.length} rendered`)
  }
  const sections = []
  for (const [index, { level, id, raw }] of headings.entries()) {
    const text = plain(parts[index])
    const last = sections.at(-1)
    if (level > LEVEL_MAX && last !== undefined) last.text += ` ${plain(raw)} ${text}`
    else {
      const address = `/docs/guides/${name}${level === 1 ? '' : `#${id}`}`
      sections.push({ address, guide: title, heading: plain(raw), text })
    }
  }
  return sections
}

/** Returns the text below each heading; a `#` in a block of code begins a comment. */
function partsOf(markdown) {
  const parts = []
  let isCode = false
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    else if (!isCode && /^#{1,6} /.test(line)) parts.push('')
    else if (parts.length > 0) parts[parts.length - 1] += `${line}\n`
  }
  return parts
}

function plain(markdown) {
  return markdown
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\|[-| :]+\|$/gm, '')
    .replace(/\*\*|`/g, '')
    .replace(/[|\s]+/g, ' ')
    .trim()
}
