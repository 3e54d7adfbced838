import type { ComponentChildren } from 'preact'

/** Shows a form for secrets, unless they would cross the network without encryption. */
export function SecureOnly({ children }: { readonly children: ComponentChildren }) {
  if (isSecureContext) return <>{children}</>
  return (
    <p class="notice notice-warn" role="alert">
      This connection is not encrypted, so nobody can sign in here. The operator can start the exchange with a
      certificate of its own, or put a proxy with HTTPS in front. On its own machine, open{' '}
      <code>http://localhost:{location.port || '80'}</code>.
    </p>
  )
}
