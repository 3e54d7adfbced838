import type { Hono } from 'hono'
import type { DocumentedApi, DocumentedParameter } from '../fixtures/documented-api.js'
import { peer } from '../fixtures/http-scenario.js'

/** One request of a documented operation; parts left out come from the document's examples. */
export interface Call {
  /** By the name of the parameter, wherever it goes; undefined leaves it out. */
  readonly with?: Readonly<Record<string, string | number | undefined>>
  /** The JSON body; a string is sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** An undocumented query parameter. */
  readonly surprise?: string
}

/** The response to a call, and how it differs from the document. */
export interface Called {
  readonly status: number
  readonly message: string
  readonly additional: unknown
  readonly faults: readonly string[]
}

/** Calls operations by id, knowing only the document, and checks each response against it. */
export class DocumentedClient {
  readonly #api: DocumentedApi
  readonly #app: Hono
  readonly #base: string

  /** @param base the prefix of every path: empty, or `/api/v1` */
  constructor(api: DocumentedApi, app: Hono, base = '') {
    this.#api = api
    this.#app = app
    this.#base = base
  }

  async call(id: string, { with: given = {}, body, headers = {}, surprise }: Call = {}): Promise<Called> {
    const { method, path, operation } = this.#api.place(id)
    const parameters = (operation.parameters ?? []).filter(
      ({ name, required }) => (required && !(name in given)) || given[name] !== undefined,
    )
    for (const name of Object.keys(given)) {
      if (!operation.parameters?.some(parameter => parameter.name === name)) {
        throw new Error(`${id} has no parameter ${name}`)
      }
    }
    const values = (place: string) =>
      parameters.filter(({ in: at }) => at === place).map(parameter => nameAndValue(parameter, given))
    const target = values('path').reduce(
      (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
      path,
    )
    const more: [string, string][] = surprise === undefined ? [] : [[surprise, '1']]
    const query = new URLSearchParams([...values('query'), ...more]).toString()
    const base = operation.servers?.some(({ url }) => url === '/') ? '' : this.#base
    const response = await this.#app.request(
      `${base}${target}${query === '' ? '' : `?${query}`}`,
      {
        method: method.toUpperCase(),
        headers: { Host: 'localhost', ...Object.fromEntries(values('header')), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      },
      peer('127.0.0.1'),
    )
    const text = await response.text()
    const faults = this.#api.faultsIn(id, { status: response.status, headers: response.headers, text })
    const { message = '', additional } = parsed(text)
    return { status: response.status, message, additional, faults }
  }
}

function nameAndValue(
  { name, example }: DocumentedParameter,
  given: NonNullable<Call['with']>,
): [string, string] {
  return [name, String(given[name] ?? example)]
}

function parsed(text: string): { readonly message?: string; readonly additional?: unknown } {
  return text.startsWith('{') ? (JSON.parse(text) as { message?: string; additional?: unknown }) : {}
}
