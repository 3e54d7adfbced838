/**
 * How callers are identified: `open`, play money without passwords; `accounts`, users sign up; `jwt`, tokens
 * of an identity provider.
 */
export const ACCESS_MODES = ['open', 'accounts', 'jwt'] as const

export type AccessMode = (typeof ACCESS_MODES)[number]
