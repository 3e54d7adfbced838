import { VERSION_PATH } from './middleware/query-guard.js'

/** Returns the path of a full address, without the prefix of the version. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const query = url.indexOf('?', start)
  const path = url.slice(start, query < 0 ? undefined : query)
  return path.startsWith(`${VERSION_PATH}/`) ? path.slice(VERSION_PATH.length) : path
}
