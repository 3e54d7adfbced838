import type { Method } from '../../api/route.js'
import { assert } from '../../core/assert.js'
import type { Binding } from './handle.js'

/** The route of a request, and what else is at its address. */
export interface Match {
  /** Undefined if nothing is there for this method. */
  readonly binding: Binding | undefined
  /** The page for people at the same address. */
  readonly page: Binding | undefined
  /** The named parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** The methods that the address has. */
  readonly methods: readonly Method[]
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const VERSION = ['api', 'v1'] as const
const NOTHING: Match = { binding: undefined, page: undefined, params: {}, methods: [] }
const STRAY_PERCENT = /%(?![\da-f]{2})/gi

/** A place in the tree of paths, one part deeper than the one before. */
class Place {
  readonly fixed = new Map<string, Place>()
  readonly named: { readonly name: string; readonly pattern: RegExp | undefined; readonly place: Place }[] =
    []
  readonly bindings = new Map<string, Binding>()
  page: Binding | undefined
}

/**
 * The routes of the app, each at `/` and again at `/api/v1` unless it is at the root only. Finds the route of
 * a request, once: nothing looks at the path afterwards. Fixed parts go before named ones.
 */
export class RouteTable {
  readonly bindings: readonly Binding[]
  readonly #root = new Place()
  /** The matches at paths without named parts, by path and method: most requests, such as orders. */
  readonly #fixed = new Map<string, ReadonlyMap<string, Match>>()

  constructor(bindings: readonly Binding[]) {
    this.bindings = bindings
    for (const binding of bindings) this.#add(binding)
    for (const { route } of bindings) {
      const { path, isAtRootOnly = false } = route
      if (path.includes(':')) continue
      for (const whole of isAtRootOnly ? [path] : [path, `/${VERSION.join('/')}${path}`]) {
        this.#fixed.set(whole, new Map(METHODS.map(method => [method, this.#find(method, whole)])))
      }
    }
  }

  /** @param path as it was sent, without the query */
  match(method: string, path: string): Match {
    const asked = method === 'HEAD' ? 'GET' : method
    return this.#fixed.get(path)?.get(asked) ?? this.#find(asked, path)
  }

  #add(binding: Binding): void {
    const { route } = binding
    let place = this.#root
    for (const part of partsOf(route.path)) place = placeBelow(place, part)
    if (route.isPage) {
      assert(place.page === undefined, `${route.path} has one page`)
      place.page = binding
    } else {
      assert(!place.bindings.has(route.method), `${route.method} ${route.path} has one handler`)
      place.bindings.set(route.method, binding)
    }
  }

  #find(method: string, path: string): Match {
    // Such as `*`, the target of OPTIONS for a whole server.
    if (!path.startsWith('/')) return NOTHING
    const sent = partsOf(path).map(decoded)
    const isVersioned = VERSION.every((part, index) => sent[index] === part)
    const parts = isVersioned ? sent.slice(VERSION.length) : sent
    if (parts.length === 0) parts.push('')
    const isThere = (binding: Binding | undefined) =>
      !isVersioned || binding?.route.isAtRootOnly === undefined
    let found: Match = NOTHING
    for (const [place, params] of placesAt(this.#root, parts, 0, {})) {
      const bindings = [...place.bindings.values()].filter(isThere)
      const page = isVersioned ? undefined : place.page
      if (bindings.length === 0 && page === undefined) continue
      const binding = bindings.find(({ route }) => route.method === method)
      const isFirst = found.binding === undefined && binding !== undefined
      found = {
        binding: found.binding ?? binding,
        page: found.page ?? (method === 'GET' ? page : undefined),
        params: isFirst || found === NOTHING ? params : found.params,
        methods: allOf(found.methods, bindings, page),
      }
      // What is fixed has its own methods only: `create` is no event that could be read.
      if (Object.keys(params).length === 0) break
    }
    return found
  }
}

function allOf(
  methods: readonly Method[],
  bindings: readonly Binding[],
  page: Binding | undefined,
): readonly Method[] {
  const own = new Set([...methods, ...bindings.map(({ route }) => route.method)])
  if (page !== undefined) own.add('GET')
  return METHODS.filter(method => own.has(method))
}

function partsOf(path: string): string[] {
  return path.split('/').slice(1)
}

/** Decodes a part of a path; what is no UTF-8 stays as it is, and is refused later. */
function decoded(part: string): string {
  if (!part.includes('%')) return part
  try {
    return decodeURIComponent(part.replaceAll(STRAY_PERCENT, '%25'))
  } catch {
    return part
  }
}

function placeBelow(place: Place, part: string): Place {
  if (!part.startsWith(':')) return known(place.fixed, part)
  const [, name = '', pattern] = /^:(\w+)(?:\{(.+)\})?$/.exec(part) ?? []
  const source = pattern === undefined ? undefined : `^(?:${pattern})$`
  const same = place.named.find(below => below.name === name && below.pattern?.source === source)
  if (same !== undefined) return same.place
  const below = { name, pattern: source === undefined ? undefined : new RegExp(source), place: new Place() }
  place.named.push(below)
  return below.place
}

function known(places: Map<string, Place>, part: string): Place {
  const place = places.get(part) ?? new Place()
  places.set(part, place)
  return place
}

/** Returns the places at a path with its named parts, those by fixed parts first. */
function* placesAt(
  place: Place,
  parts: readonly string[],
  index: number,
  params: Readonly<Record<string, string>>,
): Generator<readonly [Place, Readonly<Record<string, string>>]> {
  const part = parts[index]
  if (part === undefined) {
    yield [place, params]
    return
  }
  const fixed = place.fixed.get(part)
  if (fixed !== undefined) yield* placesAt(fixed, parts, index + 1, params)
  if (part === '') return
  for (const { name, pattern, place: below } of place.named) {
    if (pattern === undefined || pattern.test(part)) {
      yield* placesAt(below, parts, index + 1, { ...params, [name]: part })
    }
  }
}
