import type { RouteFacts } from '../route.js'

/** The addresses of one page; it shows what its address names. */
function pagesAt(...paths: readonly string[]): readonly RouteFacts[] {
  return paths.map(path => ({ ...fileAt(path), needs: 'visit', isPage: true }))
}

/** A file for everybody, at the root only: no part of the API. */
function fileAt<const Path extends string>(path: Path): RouteFacts<Path> {
  return { method: 'GET', path, needs: 'public', takesAnyQuery: true, isAtRootOnly: true }
}

/** A file that pages of other sites may show. */
function sharedAt<const Path extends string>(path: Path, needs: RouteFacts['needs'] = 'public') {
  return { ...fileAt(path), needs, isShared: true } satisfies RouteFacts<Path>
}

/** Addresses for browsers, and what their pages load; the document of the API leaves them out. */
export const pageRoutes = {
  trade: pagesAt(
    '/',
    '/market/:code{[0-9]{7}}',
    '/group/:code{[0-9]{7}}',
    '/portfolio',
    '/people',
    '/people/:userid',
    '/portfolio/:tab{orders|history|statement}',
  ),
  /** Served to everybody, since it has no data: it requests everything that it shows, as its user. */
  admin: pagesAt(
    '/admin',
    '/admin/new',
    '/admin/bulk',
    '/admin/event/:code{[0-9]{7}}',
    '/admin/groups',
    '/admin/groups/new',
    '/admin/groups/:code{[0-9]{7}}',
    '/admin/fees',
    '/admin/seasons',
    '/admin/webhooks',
    '/admin/users',
    '/admin/user/:userid',
    '/admin/comments',
    '/admin/health',
    '/admin/actions',
    '/admin/accounts',
    '/admin/audit',
  ),
  account: pagesAt('/sign-in', '/sign-in/oidc', '/sign-up', '/recover', '/account'),
  card: sharedAt('/embed/:code{[0-9]{7}}', 'visit'),
  asset: fileAt('/assets/:name'),
  docsPart: fileAt('/docs/api/:name'),
  guides: fileAt('/docs/guides'),
  guide: fileAt('/docs/guides/:name'),
  guidePicture: fileAt('/docs/guides/pictures/:name'),
  icon: sharedAt('/icon.svg'),
  logo: sharedAt('/logo'),
  favicon: sharedAt('/favicon.ico'),
  appleIcon: sharedAt('/apple-touch-icon.png'),
  smallIcon: sharedAt('/icon-192.png'),
  largeIcon: sharedAt('/icon-512.png'),
  manifest: sharedAt('/manifest.webmanifest'),
  picture: sharedAt('/pictures/:name', 'markets'),
  marketPicture: sharedAt('/share/:code{[0-9]{7}}/:version{[\\w.]{1,12}\\.png}', 'markets'),
  feed: sharedAt('/feed.xml', 'markets'),
}
