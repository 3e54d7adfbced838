import { z } from 'zod'
import { DONE } from '../answer-texts.js'
import { answerField } from '../fields.js'
import { REFUSED } from '../refusal-texts.js'
import { announcementAnswer } from '../site/announcement-schema.js'
import type { Route, RouteAnswer } from '../route.js'
import { route } from '../route.js'

const DOORS = z.object({
  version: z.string(),
  events: z.string(),
  orders: z.string(),
  websocket: z.string(),
  health: z.string(),
  docs: z.string(),
  name: z.string().meta({ description: 'Name of the exchange on its pages' }),
  color: z.string().meta({ description: 'Colour of the site, as #rrggbb' }),
  logo: z.string().meta({ description: 'An emoji, or the address of its logo' }),
  time_zone: z.string().meta({ description: 'Time zone of all times on the pages' }),
  language: z
    .enum(['en', 'hi'])
    .meta({ description: 'Language of the pages where a browser prefers neither English nor Hindi' }),
  starting_balance: z
    .number()
    .optional()
    .meta({ description: 'Starting balance of a new user, in INR play money' }),
  contact: z.string().optional().meta({ description: 'How users reach the operator, if that is set' }),
  announcement: announcementAnswer
    .optional()
    .meta({ description: 'What an operator tells everybody at present' }),
  demo: z.literal(true).optional().meta({ description: 'true on a demo exchange with bots' }),
})

const UPGRADED: RouteAnswer = {
  code: 101,
  description: 'Switches to WebSocket: see /asyncapi.json',
}
const UPGRADE_FAULTS = {
  400: [REFUSED.tokenInAddress],
  401: [REFUSED.tokenWrong],
  503: [REFUSED.connectionsFull, REFUSED.tooManyTokens],
}

/** The exchange itself: its health, its version and its documents. */
export const serviceRoutes = {
  getDoors: route({
    id: 'getDoors',
    method: 'GET',
    path: '/',
    needs: 'visit',
    upgrades: true,
    group: 'Service',
    summary: 'Get the main addresses',
    description: 'Also accepts WebSocket connections.',
    takesAnyQuery: true,
    answers: [
      {
        code: 200,
        message: 'Raay, an exchange for opinion trading',
        additional: DOORS,
        samples: {
          doors: {
            additional: {
              version: '0.1.0',
              events: '/events',
              orders: '/order/initiate',
              websocket: '/ws',
              health: '/healthz',
              docs: '/docs',
              name: 'Raay',
              color: '#1b4fd0',
              logo: '/icon.svg',
              time_zone: 'Asia/Kolkata',
              language: 'en',
              starting_balance: 1_000_000,
            },
          },
        },
      },
      UPGRADED,
    ],
    refusals: UPGRADE_FAULTS,
  }),
  openWebSocket: route({
    id: 'openWebSocket',
    method: 'GET',
    path: '/ws',
    needs: 'visit',
    upgrades: true,
    group: 'Service',
    summary: 'Open a WebSocket',
    takesAnyQuery: true,
    answers: [UPGRADED],
    refusals: {
      ...UPGRADE_FAULTS,
      426: [REFUSED.upgradeRequired],
    },
  }),
  getHealth: plain('getHealth', '/healthz', 'Check that the process is alive', 'Alive'),
  getReadiness: route({
    ...plain('getReadiness', '/readyz', 'Check that it accepts requests', 'Ready'),
    answers: [
      {
        code: 200,
        message: 'Ready',
        additional: z
          .object({
            closed: z.array(z.enum(['sign_in', 'site'])).meta({ description: 'Its file is in doubt' }),
          })
          .optional(),
        samples: { ready: {}, 'sign-in closed': { additional: { closed: ['sign_in'] } } },
      },
    ],
    refusals: { 503: ['This standby has not had all of its log for 7 s', REFUSED.logUnheard] },
  }),
  getTime: route({
    id: 'getTime',
    method: 'GET',
    path: '/time',
    needs: 'markets',
    group: 'Service',
    summary: 'Get the time of the exchange',
    answers: [
      {
        code: 200,
        message: DONE.timeFetched,
        additional: z.object({ time: answerField.moment, epoch_ms: z.int().min(0) }),
        samples: {
          time: { additional: { time: '2026-02-01T09:31:00.000Z', epoch_ms: 1_769_938_260_000 } },
        },
      },
    ],
    refusals: {},
  }),
  getVersion: route({
    id: 'getVersion',
    method: 'GET',
    path: '/version',
    needs: 'public',
    group: 'Service',
    summary: 'Get the version',
    answers: [
      {
        code: 200,
        message: DONE.versionFetched,
        additional: z.object({ version: z.string(), node: z.string() }),
        samples: { version: { additional: { version: '0.1.0', node: 'v22.23.0' } } },
      },
    ],
    refusals: {},
  }),
  getOpenApi: page('getOpenApi', '/openapi.json', 'Get this document', 'application/json', {
    openapi: '3.1.0',
  }),
  getAsyncApi: page(
    'getAsyncApi',
    '/asyncapi.json',
    'Get the AsyncAPI 3.0 document of the WebSocket API',
    'application/json',
    {
      asyncapi: '3.0.0',
    },
  ),
  getDocs: page('getDocs', '/docs', 'Read both documents as a page', 'text/html', '<!doctype html>…'),
  getDocsStyle: page(
    'getDocsStyle',
    '/docs/style.css',
    'Get the style sheet of that page',
    'text/css',
    'body { … }',
  ),
  getDocsScript: page(
    'getDocsScript',
    '/docs/copy.js',
    'Get the script of its Copy buttons',
    'text/javascript',
    'navigator.clipboard…',
  ),
}

/** Describes a probe, which monitors repeat for ever under any name and query. */
function plain<const Path extends string>(
  id: string,
  path: Path,
  summary: string,
  message: string,
): Route<Path> {
  const answers = [{ code: 200, message, samples: { [message.toLowerCase()]: {} } }] as const
  return {
    id,
    method: 'GET',
    path,
    needs: 'public',
    cost: 'free',
    isProbe: true,
    group: 'Service',
    summary,
    takesAnyQuery: true,
    answers,
    refusals: {},
  }
}

/** Describes an answer without an envelope. */
function page<const Path extends string>(
  id: string,
  path: Path,
  summary: string,
  type: string,
  sample: unknown,
): Route<Path> {
  const schema = typeof sample === 'string' ? z.string() : z.looseObject({})
  const answers = [{ code: 200, content: { type, schema, sample } }] as const
  return {
    id,
    method: 'GET',
    path,
    needs: 'public',
    group: 'Service',
    summary,
    takesAnyQuery: true,
    answers,
    refusals: {},
  }
}
