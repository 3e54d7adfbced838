import { html } from 'hono/html'
import type { Html } from './page-schema.js'

/** Renders code with a Copy button, shown only if the page’s script runs. */
export function codeHtml(text: string, label: string): Html {
  return html`<div class="code">
    <pre tabindex="0" role="group" aria-label="${label}"><code>${text}</code></pre>
    <button type="button" hidden aria-label="Copy: ${label}">Copy</button>
  </div>`
}

/** Renders a named example: text as it is, other values as indented JSON. */
export function exampleHtml(name: string, value: unknown, label: string): Html {
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
  return html`<p class="caption">${name}</p>${codeHtml(text, label)}`
}
