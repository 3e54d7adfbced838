import { routes } from '../../api/routes.js'

/** The reads of events and groups: unlike comments and profiles, they show what the journal says. */
const paths = routes
  .filter(({ method, needs, group }) => method === 'GET' && needs === 'markets' && group === 'Events')
  .map(({ path }) => path.replaceAll(/:\w+/g, '[^/]+'))

/** A regular expression of the paths of market data, which standbys may answer. */
export const MARKET_PATHS = `(?:/api/v1)?(?:${paths.join('|')})`

/** A regular expression of the address of sockets that follow market channels alone, beside their query. */
export const MARKET_SOCKET_PATH = '(?:/api/v1)?/ws'
