// Puts the rendered guides into whole pages with the header and the look of the site.

/**
 * Lists the files of the guides: an index, and one page a guide.
 *
 * @param guides as `renderGuides` returns them
 * @param assets the names of the script that sets the theme, of the font and of the style
 * @returns pairs of a file name and its HTML
 */
export function guidePages(guides, assets) {
  const index = page('Guides', 'How to trade, build on and run this exchange.', indexBody(guides), assets)
  return [
    ['guides.html', index],
    ...guides.map(guide => [
      `guide-${guide.name}.html`,
      page(guide.title, guide.summary, guideBody(guides, guide), assets),
    ]),
  ]
}

function indexBody(guides) {
  const items = guides.map(
    ({ name, title, summary }) =>
      `<li><a href="/docs/guides/${name}"><h2>${title}</h2><p>${escaped(summary)}</p></a></li>`,
  )
  return `<div class="guide-layout-wide"><h1>Guides</h1><ul class="guide-list">${items.join('\n')}</ul></div>`
}

function guideBody(guides, { name, body, sections }) {
  const items = guides.map(guide => {
    if (guide.name !== name) return `<li><a href="/docs/guides/${guide.name}">${guide.title}</a></li>`
    const parts = sections.map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`).join('')
    return `<li><a href="/docs/guides/${name}" aria-current="page">${guide.title}</a><ul>${parts}</ul></li>`
  })
  return `<div class="guide-layout">
<article class="guide">
${body}</article>
<nav class="guide-nav" aria-label="Guides"><h2>Guides</h2><ul>
${items.join('\n')}
</ul></nav>
</div>`
}

function page(title, description, body, { first, inter, style }) {
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
