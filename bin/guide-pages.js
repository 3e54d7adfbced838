// Puts the rendered guides into whole pages with the header and the look of the site.

/**
 * Lists the files of the guides: an index, and one page a guide.
 *
 * @param guides as `renderGuides` returns them
 * @param assets the names of the scripts for the theme and the search, of the font, the style and the texts to search
 * @returns pairs of a file name and its HTML
 */
export function guidePages(guides, assets) {
  const index = page(
    'Guides',
    'How to trade, build on and run this exchange.',
    indexBody(guides, assets),
    assets,
  )
  return [
    ['guides.html', index],
    ...guides.map(guide => [
      `guide-${guide.name}.html`,
      page(guide.title, guide.summary, guideBody(guides, guide, assets), assets),
    ]),
  ]
}

/** The search is hidden until its script runs. */
function searchBox({ sections }) {
  const words =
    'data-none="No matches" data-one="1 section" data-many="# sections" ' +
    'data-failed="The search could not be loaded. Try again."'
  return `<search class="guide-search" data-index="/assets/${sections}" ${words} hidden>
<input type="search" aria-label="Search the guides" placeholder="Search (press /)">
<p role="status"></p><ol></ol></search>`
}

function indexBody(guides, assets) {
  const lists = partsOf(guides).map(([part, some]) => {
    const items = some.map(
      ({ name, title, summary }) =>
        `<li><a href="/docs/guides/${name}"><h3>${title}</h3><p>${escaped(summary)}</p></a></li>`,
    )
    return `<h2>${part}</h2><ul class="guide-list">${items.join('\n')}</ul>`
  })
  return `<div class="guide-layout-wide"><h1>Guides</h1>${searchBox(assets)}${lists.join('\n')}</div>`
}

function guideBody(guides, { name, body, sections }, assets) {
  const item = guide => {
    if (guide.name !== name) return `<li><a href="/docs/guides/${guide.name}">${guide.title}</a></li>`
    const parts = sections.map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`).join('')
    return `<li><a href="/docs/guides/${name}" aria-current="page">${guide.title}</a><ul>${parts}</ul></li>`
  }
  const lists = partsOf(guides).map(
    ([part, some]) => `<h3>${part}</h3><ul>\n${some.map(item).join('\n')}\n</ul>`,
  )
  return `<div class="guide-layout">
<article class="guide">
${body}</article>
<nav class="guide-nav" aria-label="Guides"><h2><a href="/docs/guides">Guides</a></h2>${searchBox(assets)}${lists.join('\n')}</nav>
</div>`
}

/** Returns the parts of the guides, each with those that belong to it. */
function partsOf(guides) {
  const parts = [...new Set(guides.map(({ part }) => part))]
  return parts.map(name => [name, guides.filter(({ part }) => part === name)])
}

function page(title, description, body, { first, inter, style, search }) {
  return `<!doctype html>
<html lang="en-IN" data-site>
<head>
<meta charset="utf-8">
<title>${escaped(title)} – {{name}}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escaped(description)}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="{{icon}}">
${preloadOf(inter)}
<script src="/assets/${first}"></script>
<link rel="stylesheet" href="/assets/${style}">
<script src="/assets/${search}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="site-header"><div class="site-bar">
<a class="brand" href="/"><img class="mark" src="{{icon}}" alt=""><span>{{name}}</span></a>
<nav class="site-nav" aria-label="Pages"><a href="/">Markets</a><a href="/docs">API</a><a href="/docs/guides" aria-current="page">Guides</a></nav>
</div></header>
<main id="content" tabindex="-1">
${body}
</main>
<footer class="site-footer">Play money only: no real deposits or withdrawals.</footer>
</body>
</html>
`
}

/** Returns the line that loads a font before the styles ask for it. */
export function preloadOf(font) {
  return `<link rel="preload" href="/assets/${font}" as="font" type="font/woff2" crossorigin>`
}

function escaped(text) {
  return text.replace(/[&<>"]/g, char => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char])
}
