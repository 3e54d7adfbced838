import { parentPort, workerData } from 'node:worker_threads'
import { asyncApiDocument } from './asyncapi/asyncapi.js'
import type { DocumentTexts } from './documents.js'
import { PLACEHOLDER } from './documents.js'
import { openApiDocument } from './openapi/openapi.js'
import { docsPages } from './page/page.js'

/** Makes the documents of a version, and ends. */
const { version } = workerData as { readonly version: string }
const [openApi, asyncApi] = [openApiDocument(version), asyncApiDocument(version)]
parentPort?.postMessage({
  openApi: JSON.stringify(openApi),
  asyncApi: JSON.stringify(asyncApi),
  pages: docsPages(openApi, asyncApi, PLACEHOLDER),
} satisfies DocumentTexts)
