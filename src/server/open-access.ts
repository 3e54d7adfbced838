import { Access } from '../access/access.js'
import { OneTimeCodes } from '../access/one-time-codes.js'
import { openOperatorKey } from '../access/operator-key.js'
import type { Sources } from '../exchange/sources.js'
import type { DataDirectory } from '../store/files/data-directory.js'
import type { Config } from './config/config.js'

/** Identifies callers, and the codes that sign operators in. */
interface OpenedAccess {
  readonly access: Access
  readonly codes: OneTimeCodes
}

/** Opens the credentials in a data directory; makes the operator's key at the first start. */
export function openAccess(
  { access, adminToken }: Config,
  { path }: DataDirectory,
  { now }: Sources,
): OpenedAccess {
  const { mode, publicReads, openCreation } = access
  const operatorKey = adminToken ?? openOperatorKey(path)
  return {
    access: new Access({ mode, operatorKey, publicReads, openCreation }),
    codes: new OneTimeCodes(now),
  }
}

/** Returns a link that signs an operator in once; the code is in the fragment, which is never sent. */
export function adminLink(base: string, codes: OneTimeCodes): string {
  return `${base}/admin#code=${codes.make().code}`
}
