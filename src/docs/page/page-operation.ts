import { html } from 'hono/html'
import type { Json } from '../openapi/schema-shelf.js'
import { pythonSample, typescriptSample } from './code-samples.js'
import { codeHtml, exampleHtml } from './page-code.js'
import type { Media } from './page-response.js'
import { mediaOf, responseHtml } from './page-response.js'
import type { Html } from './page-schema.js'
import { phrase, prose, schemaHtml } from './page-schema.js'
import type { SampleRequest } from './sample-request.js'
import { curlCommand, needsCredentials, sampleRequest } from './sample-request.js'

/**
 * Renders one operation of an OpenAPI document: parameters, body and responses, and samples beside them.
 *
 * @param base the address of the exchange
 * @param named the document’s named schemas
 */
export function operationHtml(
  base: string,
  [method, path, operation]: readonly [method: string, path: string, operation: Json],
  named: Readonly<Record<string, Json>>,
): Html {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  const id = String(operationId)
  const media = mediaOf((requestBody as Json | undefined)?.content)
  const answers = Object.entries(responses as Record<string, Json>)
  const isForCurl = answers.some(([code]) => code === '200' || code === '201')
  const own = answers.filter(([, response]) => !('$ref' in response))
  const common = answers.filter(([, response]) => '$ref' in response).map(([code]) => code)
  return html`<article id="${operationId}">
    <div class="told">
      <h2><span class="method ${method}">${method.toUpperCase()}</span> <code>${breakable(path)}</code></h2>
      <p class="summary">${summary}</p>
      ${needsCredentials(operation) ? html`<p class="guarded">Needs credentials.</p>` : ''}
      ${description === undefined ? '' : prose(description)}
      ${parameters === undefined ? '' : parametersHtml(parameters as Json[])}
      ${media === undefined ? '' : bodyHtml(media, named)}
      <h3>Responses</h3>
      ${own.map(([code, response]) => responseHtml(id, code, response))}
      <p>Also the <a href="/docs#any-request">responses of every request</a>: ${common.join(', ')}.</p>
    </div>
    <div class="shown">
      ${isForCurl ? tryHtml(sampleRequest(base, method, path, operation), id) : ''}
      ${media === undefined ? '' : bodiesHtml(media, id)}
      ${isForCurl ? answerHtml(answers, id) : ''}
    </div>
  </article>`
}

/** Shows a request body in full; schemas inside it may be links. */
function bodyHtml({ schema }: Media, named: Readonly<Record<string, Json>>): Html {
  const { $ref } = schema
  const name = typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : ''
  return html`<h3>Body</h3>${schemaHtml(named[name] ?? schema)}`
}

/** Shows the examples of a body behind the first, which the samples send. */
function bodiesHtml({ examples = {} }: Media, of: string): Html {
  return html`${Object.entries(examples)
    .slice(1)
    .map(
      ([name, { value }]) => html`<details><summary>${name}</summary>
        ${codeHtml(JSON.stringify(value, undefined, 2), `${of}, ${name}`)}</details>`,
    )}`
}

/** Shows what the samples are answered. */
function answerHtml(answers: readonly (readonly [code: string, response: Json])[], of: string): Html {
  const [code, response] = answers.find(([status]) => Number(status) < 300) ?? []
  const [example] = Object.values(mediaOf(response?.content)?.examples ?? {})
  if (code === undefined || example === undefined) return html``
  return exampleHtml(`Answer: ${code}`, example.value, `answer to ${of}`)
}

/** Renders samples that exclude each other; what changes nothing can be run on the page. */
export function tryHtml(request: SampleRequest, id: string): Html {
  const samples = [
    ['curl', curlCommand(request)],
    ['TypeScript', typescriptSample(request)],
    ['Python', pythonSample(request)],
  ] as const
  return html`<div class="try">
    ${samples.map(
      ([name, text]) => html`<details name="try-${id}" ${name === 'curl' ? 'open' : ''}>
        <summary>${name}</summary>
        ${codeHtml(text, `${name} for ${id}`)}
      </details>`,
    )}
    ${request.method === 'get' ? runHtml(request.url, id) : ''}
  </div>`
}

/** Renders the request that Run sends, for the reader to change. */
function runHtml(url: string, id: string): Html {
  const { origin } = new URL(url)
  return html`<form class="run" hidden>
    <input aria-label="Address for ${id}" value="${url.slice(origin.length)}" spellcheck="false" />
    <button type="submit">Run<span class="unseen"> ${id}</span></button>
  </form>`
}

function parametersHtml(parameters: readonly Json[]): Html {
  return html`<h3>Parameters</h3><ul class="fields">${parameters.map(parameterHtml)}</ul>`
}

function parameterHtml({ name, in: place, required, description, schema, example }: Json): Html {
  return html`<li>
    <code class="name">${name}</code> <span class="place">in ${place}</span>
    ${required === true ? html`<span class="required">required</span>` : ''}
    ${description === undefined ? '' : html`<span class="what">${phrase(description)}</span>`}
    ${schemaHtml(schema as Json)}
    <p>Example: <code>${String(example)}</code></p>
  </li>`
}

/** Lets a path break after each slash. */
function breakable(path: string): Html {
  return html`${path.split('/').map((part, index) => (index === 0 ? part : html`/<wbr />${part}`))}`
}
