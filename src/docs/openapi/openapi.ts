import { openApiOperation, openApiPath } from './openapi-operation.js'
import { commonRefusals } from './openapi-refusals.js'
import { groups, operations } from './operations.js'
import type { Json } from './schema-shelf.js'
import { SchemaShelf } from './schema-shelf.js'

const DESCRIPTION = `Binary YES/NO markets in INR. Play money.

Every answer is in one of two envelopes: \`{status: true, code, message, additional?}\` or
\`{status: false, code, name, message}\`. Why a request was refused is in
the header \`Raay-Reason\` as well, from the list \`RefusalReason\`.
All paths are at \`/\` and at \`/api/v1\`. Numbers are JSON numbers,
times ISO 8601. Query parameters that a route does not know are 422. A known path with another method
is answered 405 with \`Allow\`, and \`OPTIONS\` with 204 and \`Allow\`; whatever else is asked for 404,
\`Route not found\`.

What happens in the books comes over WebSocket: see \`/asyncapi.json\`.`

/** Returns the HTTP API as an OpenAPI 3.1 document, built from the schemas that validate requests. */
export function openApiDocument(version: string): Json {
  const shelf = new SchemaShelf('draft-2020-12')
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    const path = openApiPath(operation.path)
    paths[path] = { ...paths[path], [operation.method]: openApiOperation(operation, shelf) }
  }
  const responses = commonRefusals(shelf)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Raay',
      summary: 'A self-hosted exchange for opinion trading',
      description: DESCRIPTION,
      version,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }, { url: '/api/v1' }],
    // Open to everybody, unless an operation says otherwise.
    security: [],
    tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: shelf.components,
      responses,
      securitySchemes: {
        adminToken: { type: 'http', scheme: 'bearer', description: 'What the exchange was started with' },
      },
    },
  }
}
