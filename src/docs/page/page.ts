import { html } from 'hono/html'
import type { Json } from '../openapi/schema-shelf.js'
import { channelHtml } from './page-channel.js'
import { operationHtml } from './page-operation.js'
import { mediaOf, responseHtml } from './page-response.js'
import type { Html } from './page-schema.js'
import { prose, schemaHtml } from './page-schema.js'

interface OpenApi {
  readonly info: Json
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>
    readonly responses: Readonly<Record<string, Json>>
  }
}

interface AsyncApi {
  readonly info: Json
  readonly channels: Readonly<Record<string, Json>>
}

type Listed = readonly [method: string, path: string, operation: Json]

/**
 * Renders both documents as one page that needs no script to be read and loads nothing from elsewhere.
 *
 * @param base the address of the exchange, for the commands to copy
 */
export function docsPage(openApi: Json, asyncApi: Json, base: string): string {
  const { info, tags, paths, components } = openApi as unknown as OpenApi
  const { info: socketInfo, channels } = asyncApi as unknown as AsyncApi
  const listed: Listed[] = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [method, path, operation] as const),
  )
  const inGroup = (name: string) => listed.filter(([, , { tags: of }]) => (of as string[])[0] === name)
  const groups = tags.map(tag => ({ ...tag, id: idOf(tag.name), operations: inGroup(tag.name) }))
  const content = html`<main id="content">
    ${prose(info.description)}
    ${groups.map(
      ({ name, description, id, operations }) => html`<section aria-labelledby="${id}">
        <h2 id="${id}">${name}</h2>
        ${prose(description)}
        ${operations.map(operation => operationHtml(base, operation, components.schemas))}
      </section>`,
    )}
    <section aria-labelledby="any-request">
      <h2 id="any-request">Responses of every request</h2>
      ${Object.values(components.responses).map(response =>
        responseHtml('any request', codeOf(response), response),
      )}
    </section>
    <section aria-labelledby="websocket">
      <h2 id="websocket">WebSocket</h2>
      ${prose(socketInfo.description)}
      ${Object.entries(channels).map(([id, channel]) => channelHtml(id, channel))}
    </section>
    <section aria-labelledby="schemas">
      <h2 id="schemas">Schemas</h2>
      ${Object.entries(components.schemas).map(
        ([name, schema]) => html`<details id="schema-${name}"><summary><code>${name}</code></summary>
          ${prose(schema.description)}${schemaHtml(schema)}</details>`,
      )}
    </section>
  </main>`
  return `<!doctype html>\n${String(frame(info.version, navigation(groups), content))}`
}

function frame(version: unknown, contents: Html, content: Html): Html {
  return html`<html lang="en" data-site>
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Raay API</title>
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="{{icon}}" />
    <script src="/assets/first-look.js"></script>
    <link rel="stylesheet" href="docs/style.css" />
    <script src="docs/copy.js" defer></script>
  </head>
  <body>
    <a class="skip" href="#content">Skip to content</a>
    <nav class="site" aria-label="Pages"><div>
      <a class="brand" href="/"><img src="{{icon}}" alt="" />{{name}}</a>
      <a href="/">Markets</a>
      <a href="/docs" aria-current="page">API</a>
      <a href="/docs/guides">Guides</a>
    </div></nav>
    <div class="page"><header>
      <h1>Raay API</h1>
      <p>
        Version ${version} · <a href="openapi.json">openapi.json</a> ·
        <a href="asyncapi.json">asyncapi.json</a>
      </p>
    </header>
    ${contents}
    ${content}</div>
  </body>
</html>`
}

function navigation(groups: readonly { name: string; id: string; operations: readonly Listed[] }[]): Html {
  return html`<nav class="contents" aria-label="Contents">
    <details open><summary>Contents</summary>
      <input type="search" hidden aria-label="Search the contents" placeholder="Search" />
      <ul>
        ${groups.map(
          ({ name, id, operations }) => html`<li><a href="#${id}">${name}</a>
            <ul>${operations.map(
              ([method, , { operationId, summary }]) => html`<li>
              <a href="#${operationId}">${methodHtml(method)} ${summary}</a></li>`,
            )}
            </ul></li>`,
        )}
        <li><a href="#any-request">Responses of every request</a></li>
        <li><a href="#websocket">WebSocket</a></li>
        <li><a href="#schemas">Schemas</a></li>
      </ul>
    </details>
  </nav>`
}

function methodHtml(method: string): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`
}

function idOf(name: string): string {
  return `group-${name.toLowerCase().replace(/[^a-z]+/g, '-')}`
}

/** Returns the status of a shared response, read from its first example. */
function codeOf({ content }: Json): string {
  const [example] = Object.values(mediaOf(content)?.examples ?? {})
  return String((example?.value as Json | undefined)?.code)
}
