import { html, raw } from 'hono/html'
import { operationHtml, tryHtml } from './page-operation.js'
import { mediaOf, responseHtml } from './page-response.js'
import { phrase, prose, schemaHtml } from './page-schema.js'
import { sampleRequest } from './sample-request.js'
import type { Json } from '../openapi/schema-shelf.js'
import { exampleHtml } from './page-code.js'
import type { Html } from './page-schema.js'

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

/** One page of the reference: a group of routes, the WebSocket API or the schemas. */
interface Part {
  /** The name in its address; empty for the first page. */
  readonly name: string
  readonly title: string
  readonly description: unknown
  /** Its operations or channels, for the contents. */
  readonly links: readonly { readonly id: string; readonly label: Html; readonly words: string }[]
  readonly body: () => Html
}

/**
 * Renders both documents as pages that need no script to be read and load nothing from elsewhere: an
 * overview, one page for each group of routes, one for the WebSocket API and one for the schemas.
 *
 * @param base the address of the exchange, for the commands to copy
 * @returns the pages by the name in their address; that of the overview is empty
 */
export function docsPages(openApi: Json, asyncApi: Json, base: string): Record<string, string> {
  const { info, tags, paths, components } = openApi as unknown as OpenApi
  const { info: socketInfo, channels } = asyncApi as unknown as AsyncApi
  const listed: Listed[] = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [method, path, operation] as const),
  )
  const groups = tags.map(({ name, description }): Part => {
    const operations = listed.filter(([, , { tags: of }]) => (of as string[])[0] === name)
    return {
      name: name.toLowerCase(),
      title: name,
      description,
      links: operations.map(linkOf),
      body: () => html`${operations.map(operation => operationHtml(base, operation, components.schemas))}`,
    }
  })
  const socket: Part = {
    name: 'websocket',
    title: 'WebSocket',
    description: socketInfo.description,
    links: Object.entries(channels).map(([id, { title, address, messages }]) => ({
      id: `channel-${id}`,
      label: html`${title}`,
      words: [address, ...Object.keys(messages as Json)].join(' '),
    })),
    body: () => html`${Object.entries(channels).map(([id, channel]) => channelHtml(id, channel))}`,
  }
  const schemas: Part = {
    name: 'schemas',
    title: 'Schemas',
    description: 'The named schemas of bodies and answers.',
    links: [],
    body: () => html`${Object.entries(components.schemas).map(([name, schema]) => schemaCard(name, schema))}`,
  }
  const parts = [...groups, socket, schemas]
  const first = listed.find(([, , { operationId }]) => operationId === FIRST_OPERATION)
  const overview: Part = {
    name: '',
    title: 'Raay API',
    description: info.description,
    links: [],
    body: () => overviewHtml(base, parts, first, components.responses),
  }
  return Object.fromEntries(
    [overview, ...parts].map(part => [part.name, `<!doctype html>\n${String(pageHtml(info, parts, part))}`]),
  )
}

/** The operation that the overview shows: a read that answers on any exchange. */
const FIRST_OPERATION = 'listEvents'

function overviewHtml(
  base: string,
  parts: readonly Part[],
  first: Listed | undefined,
  responses: Readonly<Record<string, Json>>,
): Html {
  return html`<p>
      Guides: <a href="/docs/guides/http-api">HTTP API</a>, <a href="/docs/guides/websocket">WebSocket</a>,
      <a href="/docs/guides/client">TypeScript client</a>, <a href="/docs/guides/access">access and keys</a>,
      <a href="/docs/guides/limits">limits</a>.
    </p>
    <ul class="parts">${parts.map(
      ({ name, title, description, links }) => html`<li><a href="${addressOf(name)}">${title}</a>
        ${links.length === 0 ? '' : html`<span class="caption">${links.length}</span>`}
        <p>${phrase(String(description).split('\n\n')[0])}</p></li>`,
    )}</ul>
    ${
      first === undefined
        ? ''
        : html`<section aria-labelledby="first-request"><h2 id="first-request">A first request</h2>
          <p>Run sends it to this exchange. Requests that change something have no Run: copy them.</p>
          ${tryHtml(sampleRequest(base, ...first), FIRST_OPERATION)}</section>`
    }
    <section aria-labelledby="any-request">
      <h2 id="any-request">Responses of every request</h2>
      ${Object.values(responses)
        .map(response => [codeOf(response), response] as const)
        .sort(([a], [b]) => Number(a) - Number(b))
        .map(([code, response]) => responseHtml('any request', code, response))}
    </section>`
}

function schemaCard(name: string, schema: Json): Html {
  return html`<details id="schema-${name}"><summary><code>${name}</code></summary>
    ${prose(schema.description)}${schemaHtml(schema)}</details>`
}

function pageHtml({ version }: Json, parts: readonly Part[], { name, title, description, body }: Part): Html {
  return html`<html lang="en" data-site>
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${name === '' ? title : `${title} – Raay API`}</title>
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="{{icon}}" />
    <script src="/assets/first-look.js"></script>
    <link rel="stylesheet" href="/docs/style.css" />
    <script src="/docs/copy.js" defer></script>
  </head>
  <body>
    <a class="skip" href="#content">Skip to content</a>
    <nav class="site" aria-label="Pages"><div>
      <a class="brand" href="/"><img src="{{icon}}" alt="" />{{name}}</a>
      <a href="/">Markets</a>
      <a href="/docs" aria-current="${name === '' ? 'page' : 'true'}">API</a>
      <a href="/docs/guides">Guides</a>
    </div></nav>
    <div class="page">
    ${navigation(parts, name)}
    <main id="content">
      <h1>${title}</h1>
      ${
        name === ''
          ? html`<p>Version ${version} · <a href="/openapi.json">openapi.json</a> ·
            <a href="/asyncapi.json">asyncapi.json</a></p>`
          : ''
      }
      ${prose(description)}
      ${body()}
    </main></div>
  </body>
</html>`
}

/** Lists all pages; below the one that is shown, and in a search below all, what is on them. */
function navigation(parts: readonly Part[], shown: string): Html {
  return html`<nav class="contents" aria-label="Contents">
    <details open><summary>Contents</summary>
      <input type="search" hidden aria-label="Search the reference" placeholder="Search (press /)" />
      <p class="caption" role="status"></p>
      <ul>
        <li><a href="/docs" ${shown === '' ? raw('aria-current="page"') : ''}>Overview</a></li>
        ${parts.map(
          ({ name, title, links }) => html`<li>
            <a href="${addressOf(name)}" ${name === shown ? raw('aria-current="page"') : ''}>${title}</a>
            ${
              links.length === 0
                ? ''
                : html`<ul class="${name === shown ? 'unfolded' : 'folded'}">${links.map(
                    ({ id, label, words }) => html`<li>
                  <a href="${addressOf(name)}#${id}" data-words="${words}">${label}</a></li>`,
                  )}</ul>`
            }</li>`,
        )}
      </ul>
    </details>
  </nav>`
}

function linkOf([method, path, { operationId, summary }]: Listed): Part['links'][number] {
  return {
    id: String(operationId),
    label: html`<span class="method ${method}">${method.toUpperCase()}</span> ${summary}`,
    words: `${path} ${operationId}`,
  }
}

function addressOf(part: string): string {
  return `/docs/api/${part}`
}

/** Returns the status of a shared response, read from its first example. */
function codeOf({ content }: Json): string {
  const [example] = Object.values(mediaOf(content)?.examples ?? {})
  return String((example?.value as Json | undefined)?.code)
}

interface Message {
  readonly summary: string
  readonly description?: string
  readonly payload: Json
  readonly examples: readonly { readonly name: string; readonly payload: unknown }[]
}

/** Renders one channel of an AsyncAPI document and its messages. */
function channelHtml(id: string, { address, title, description, messages }: Json): Html {
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
