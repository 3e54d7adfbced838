import type { CompanionWriter } from '../../store/companions/companion.js'

/**
 * Withdraws what an admin made for others and may still hold: invitations, recovery links, and keys of other
 * accounts. Part of the caller's transaction; returns the keys, to be reported once it is committed.
 */
export function withdrawMadeBy(database: CompanionWriter, name: string): string[] {
  database.prepare('DELETE FROM invitations WHERE made_by = ?').run(name)
  database.prepare('DELETE FROM recovery_links WHERE made_by = ?').run(name)
  return database
    .prepare<unknown[], string>("DELETE FROM api_keys WHERE made_by = ? RETURNING 'key:' || id")
    .pluck()
    .all(name)
}

/**
 * Withdraws what might open a way back in after an account's password was replaced: recovery links of others,
 * and invitations to a role above trader, which it made and nobody has used. Part of the caller's
 * transaction; returns how many invitations.
 */
export function withdrawUnused(database: CompanionWriter, name: string): number {
  database.prepare('DELETE FROM recovery_links WHERE made_by = ?').run(name)
  return database
    .prepare("DELETE FROM invitations WHERE made_by = ? AND role IN ('operator', 'admin')")
    .run(name).changes
}

/** Withdraws what the holders of another operator's key opened or made, by the hash of the present one. */
export function withdrawOfOtherKeys(database: CompanionWriter, issuer: string): void {
  database.transaction(() => {
    // The sessions without an account are the operators', which are few.
    database.prepare('DELETE FROM sessions WHERE account IS NULL AND issuer <> ?').run(issuer)
    database.prepare('DELETE FROM invitations WHERE issuer <> ?').run(issuer)
    // Two ranges of an index, which an inequality could not use.
    database.prepare('DELETE FROM recovery_links WHERE issuer < ? OR issuer > ?').run(issuer, issuer)
  })()
}

/** Withdraws the sessions that passwords and passkeys opened, where only the last admin may use them. */
export function withdrawOfPasswords(database: CompanionWriter): void {
  const admins = database
    .prepare<unknown[], number>("SELECT id FROM accounts WHERE role = 'admin' AND disabled = 0 LIMIT 2")
    .pluck()
    .all()
  const last = admins.length === 1 ? admins[0] : null
  database
    .prepare('DELETE FROM sessions WHERE account >= 0 AND identity IS NULL AND account IS NOT ?')
    .run(last)
}
