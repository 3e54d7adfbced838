import { openApiOperation, openApiPath } from './openapi-operation.js'
import { commonRefusals } from './openapi-refusals.js'
import type { Route } from '../../api/route.js'
import { groups, routes as all } from '../../api/routes.js'
import type { Json } from './schema-shelf.js'
import { SchemaShelf } from './schema-shelf.js'

const DESCRIPTION = `Binary YES/NO markets in INR. Play money.

Every response is \`{status: true, code, message, additional?}\` or
\`{status: false, code, name, message}\`. A refusal has its reason, one of \`RefusalReason\`, in the header
\`Raay-Reason\`. Credentials go in the header \`Authorization: Bearer …\`. All paths exist at \`/\` and at
\`/api/v1\`.

The guide at \`/docs/guides/http-api\` explains callers, retries, batches, lists, numbers and limits. Order
books, trades and account updates are streamed over WebSocket: see \`/asyncapi.json\`.`

/** The credentials of callers. */
const SECURITY_SCHEMES: Json = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      "The operator's key or the admin token; in accounts mode an API key, in jwt mode a token of " +
      'the identity provider.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'raay_session',
    description: 'The session of a browser in accounts mode; over HTTPS its name is __Host-raay_session.',
  },
}

/** The documents are the same on every exchange; `GET /` has the address of its operator, if that is set. */
export const CONTACT = { name: 'The operator of this exchange' }

/** Returns the HTTP API as an OpenAPI 3.1 document, built from the schemas that validate requests. */
export function openApiDocument(version: string, routes: readonly Route[] = all): Json {
  const shelf = new SchemaShelf('draft-2020-12')
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) {
    const path = openApiPath(route.path)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: openApiOperation(route, shelf) }
  }
  const responses = commonRefusals(shelf)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Raay',
      summary: 'A self-hosted exchange for opinion trading',
      description: DESCRIPTION,
      version,
      contact: CONTACT,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }, { url: '/api/v1' }],
    tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: shelf.components,
      responses,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}
