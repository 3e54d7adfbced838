import type { Logger } from 'pino'
import { Access } from '../access/access.js'
import { openJwt } from '../access/jwt/open-jwt.js'
import { OneTimeCodes } from '../access/one-time-codes.js'
import { openOperatorKey } from '../access/operator-key.js'
import type { Sources } from '../exchange/sources.js'
import type { DataDirectory } from '../store/files/data-directory.js'
import type { Config } from './config/config.js'

/** Identifies callers, and the codes that sign operators in. */
interface OpenedAccess {
  readonly access: Access
  readonly codes: OneTimeCodes
  /** Reads the keys of tokens anew where it is time; to be called every second. */
  readonly refresh: () => void
}

/**
 * Opens the credentials in a data directory; makes the operator's key at the first start. Rejects with
 * advice if the keys of tokens cannot be read from their file.
 */
export async function openAccess(
  { access, adminToken }: Config,
  { path }: DataDirectory,
  { now, watch }: Sources,
  log: Logger,
): Promise<OpenedAccess> {
  const { mode, publicReads, openCreation } = access
  const operatorKey = adminToken ?? openOperatorKey(path)
  const warn = (message: string) => log.warn(message)
  const verifier = access.jwt && (await openJwt(access.jwt, { now, watch, warn }))
  return {
    access: new Access({ mode, operatorKey, publicReads, openCreation, ...(verifier && { verifier }) }),
    codes: new OneTimeCodes(now),
    refresh: () => void verifier?.refresh(),
  }
}

/** Returns a link that signs an operator in once; the code is in the fragment, which is never sent. */
export function adminLink(base: string, codes: OneTimeCodes): string {
  return `${base}/admin#code=${codes.make().code}`
}
