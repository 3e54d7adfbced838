import type { ServerResponse } from 'node:http'
import type { Exchange } from '../exchange/exchange.js'
import { priceOf } from '../http/limits/cost-of.js'
import type { MatchedRequest } from '../http/routing/environment.js'
import type { RouteTable } from '../http/routing/route-table.js'
import type { Pipeline, RequestKind } from './pipeline.js'

/** All others may change something. */
const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

interface RequestStartsOptions {
  readonly pipeline: Pipeline
  readonly exchange: { readonly archive: Pick<Exchange['archive'], 'turnsAway'> }
  readonly begin: (response: ServerResponse) => void
}

/** Starts requests through the pipeline, each as its kind. */
export class RequestStarts {
  readonly #options: RequestStartsOptions
  /** History reads that have not begun. */
  #historiesWaiting = 0

  constructor(options: RequestStartsOptions) {
    this.#options = options
  }

  /** Adds a request whose route was found; returns false if it reads history and finds no room. */
  add(response: ServerResponse, isPipelined: boolean): boolean {
    const { pipeline, exchange, begin } = this.#options
    const request: MatchedRequest = response.req
    const isHistory = readsHistory(request)
    if (isHistory) {
      if (exchange.archive.turnsAway(this.#historiesWaiting)) return false
      this.#historiesWaiting++
    }
    const [kind, start] = [kindOf(request), isHistory ? this.#beginHistory : begin]
    if (isPipelined) pipeline.addBehind(start, response, kind)
    else pipeline.add(start, response, kind)
    return true
  }

  readonly #beginHistory = (response: ServerResponse): void => {
    this.#historiesWaiting--
    this.#options.begin(response)
  }
}

/** Returns a function that tells by its first bytes whether a request is one that monitors send. */
export function probesOf({ bindings }: RouteTable): (bytes: Buffer) => boolean {
  const probes = bindings.filter(({ route }) => route.isProbe)
  const starts = probes.map(({ route: { method, path } }) => Buffer.from(`${method} ${path} `))
  return bytes => starts.some(start => bytes.subarray(0, start.length).equals(start))
}

function kindOf({ method = '', match }: MatchedRequest): RequestKind {
  if (match?.binding?.route.isProbe) return 'probe'
  return READING_METHODS.has(method) ? 'read' : 'command'
}

/** Returns whether a request is answered from disk, behind other reads of histories. */
function readsHistory({ method, url = '', match }: MatchedRequest): boolean {
  return method === 'GET' && priceOf(match?.binding?.route, method, url)?.cost.history === true
}
