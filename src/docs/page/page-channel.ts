import { html } from 'hono/html'
import type { Json } from '../openapi/schema-shelf.js'
import { exampleHtml } from './page-code.js'
import type { Html } from './page-schema.js'
import { prose, schemaHtml } from './page-schema.js'

interface Message {
  readonly summary: string
  readonly description?: string
  readonly payload: Json
  readonly examples: readonly { readonly name: string; readonly payload: unknown }[]
}

/** Renders one channel of an AsyncAPI document and its messages. */
export function channelHtml(id: string, { address, title, description, messages }: Json): Html {
  const all = Object.entries(messages as Record<string, Message>)
  return html`<section aria-labelledby="channel-${id}">
    <h2 id="channel-${id}">${title} <code>${address}</code></h2>
    ${prose(description)}
    ${all.map(([name, message]) => messageHtml(name, message))}
  </section>`
}

function messageHtml(name: string, { summary, description, payload, examples }: Message): Html {
  return html`<details id="message-${name}">
    <summary><code>${name}</code> ${summary}</summary>
    ${description === undefined ? '' : prose(description)}
    ${schemaHtml(payload)}
    ${examples.map(({ name: title, payload: value }) => exampleHtml(title, value, `${name}, ${title}`))}
  </details>`
}
