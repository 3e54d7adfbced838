import { html } from 'hono/html'
import type { Json } from '../openapi/schema-shelf.js'
import { pythonSample, typescriptSample } from './code-samples.js'
import { codeHtml } from './page-code.js'
import type { Media } from './page-response.js'
import { contentHtml, mediaOf, responseHtml } from './page-response.js'
import type { Html } from './page-schema.js'
import { phrase, prose, schemaHtml } from './page-schema.js'
import type { SampleRequest } from './sample-request.js'
import { curlLine, needsCredentials, sampleRequest } from './sample-request.js'

/**
 * Renders one operation of an OpenAPI document: parameters, body, responses and a command to try it.
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
    <h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${breakable(path)}</code></h3>
    <p class="summary">${summary}</p>
    ${needsCredentials(operation) ? html`<p class="guarded">Needs credentials.</p>` : ''}
    ${description === undefined ? '' : prose(description)}
    ${parameters === undefined ? '' : parametersHtml(parameters as Json[])}
    ${media === undefined ? '' : bodyHtml(media, named, id)}
    ${isForCurl ? tryHtml(sampleRequest(base, method, path, operation), operationId) : ''}
    <h4>Responses</h4>
    ${own.map(([code, response]) => responseHtml(id, code, response))}
    <p>Also the <a href="#any-request">responses of every request</a>: ${common.join(', ')}.</p>
  </article>`
}

/** Shows a request body in full; schemas inside it may be links. */
function bodyHtml(media: Media, named: Readonly<Record<string, Json>>, of: string): Html {
  const { $ref } = media.schema
  const name = typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : ''
  return html`<h4>Body</h4>${contentHtml({ ...media, schema: named[name] ?? media.schema }, of)}`
}

/** Samples that exclude each other; what changes nothing can be run on the page. */
function tryHtml(request: SampleRequest, operationId: unknown): Html {
  const samples = [
    ['curl', curlLine(request)],
    ['TypeScript', typescriptSample(request)],
    ['Python', pythonSample(request)],
  ] as const
  return html`<div class="try"><h4>Try it</h4>
    ${samples.map(
      ([name, text]) => html`<details name="try-${operationId}" ${name === 'curl' ? 'open' : ''}>
        <summary>${name}</summary>
        ${codeHtml(text, `${name} for ${operationId}`)}
      </details>`,
    )}
    ${
      request.method === 'get'
        ? html`<button type="button" hidden class="run" data-url="${request.url}">Run<span class="unseen">
            ${operationId}</span></button>`
        : ''
    }
  </div>`
}

function parametersHtml(parameters: readonly Json[]): Html {
  return html`<h4>Parameters</h4><ul class="fields">${parameters.map(parameterHtml)}</ul>`
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
