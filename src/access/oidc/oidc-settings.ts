import type { Role } from '../scopes.js'

/** The settings `--oidc-…`: an OpenID provider at which people sign in. */
export interface OidcSettings {
  /** As the provider writes it in its tokens. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** How the sign-in page calls the provider. */
  readonly name: string
  readonly scopes: string
  /** Those of whom a person must be in one; undefined lets everybody at the provider in. */
  readonly allowedGroups: readonly string[] | undefined
  readonly groupsClaim: string
  /** The claim that decides on the role at each sign-in; undefined leaves roles to admins. */
  readonly roleClaim: string | undefined
  readonly roleMap: ReadonlyMap<string, Role>
  /** How long a sign-in lasts, for sessions and for the keys made in them. */
  readonly sessionMs: number
}
