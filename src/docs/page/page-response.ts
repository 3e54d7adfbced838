import { html } from 'hono/html'
import type { Json } from '../openapi/schema-shelf.js'
import { exampleHtml } from './page-code.js'
import type { Html } from './page-schema.js'
import { phrase, schemaHtml } from './page-schema.js'

/** The schema and examples of a body. */
export interface Media {
  readonly schema: Json
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

/**
 * Renders one response of an operation.
 *
 * @param of the operation, for the labels of its examples
 */
export function responseHtml(of: string, code: string, { description, headers, content }: Json): Html {
  const media = mediaOf(content)
  const isGood = Number(code) < 400
  const show = isGood ? contentHtml : refusalHtml
  return html`<details class="${isGood ? 'good' : 'bad'}">
    <summary><code>${code}</code> ${phrase(description)}</summary>
    ${Object.entries((headers ?? {}) as Record<string, Json>).map(
      ([name, { description: what }]) => html`<p>Header <code>${name}</code>: ${phrase(what)}</p>`,
    )}
    ${media === undefined ? '' : show(media, `${of} ${code}`)}
  </details>`
}

/** Renders a schema and its examples. */
export function contentHtml({ schema, example, examples }: Media, of: string): Html {
  const all = Object.entries(examples ?? { example: { value: example } })
  const shown = all.map(([name, { value }]) => exampleHtml(name, value, `${of}, ${name}`))
  return html`${schemaHtml(schema)}${shown}`
}

/** Returns the content of a request body or a response, which has at most one media type. */
export function mediaOf(content: unknown): Media | undefined {
  return Object.values((content ?? {}) as Record<string, Media>)[0]
}

/** Lists the refusals by example, since all have the same four fields. */
function refusalHtml({ schema, examples = {} }: Media): Html {
  return html`${schemaHtml(schema)}<ul>${Object.values(examples).map(
    ({ value }) => html`<li><code>${JSON.stringify(value)}</code></li>`,
  )}</ul>`
}
