import { html } from 'hono/html'
import type { Html } from './page-schema.js'

/** Code that may be copied; the button is shown where the page's script runs. */
export function codeHtml(text: string, label: string): Html {
  return html`<div class="code">
    <pre tabindex="0" role="group" aria-label="${label}"><code>${text}</code></pre>
    <button type="button" hidden aria-label="Copy: ${label}">Copy</button>
  </div>`
}

/** An example under its name: text as it is, anything else as JSON that is easy to read. */
export function exampleHtml(name: string, value: unknown, label: string): Html {
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
  return html`<p class="caption">${name}</p>${codeHtml(text, label)}`
}
