import type { Access } from '../../access/access.js'

/** Returns whose caches may keep what readers of markets see: where only members read, nobody else's. */
export function cachesFor({ publicReads }: Pick<Access, 'publicReads'>): 'public' | 'private' {
  return publicReads ? 'public' : 'private'
}
