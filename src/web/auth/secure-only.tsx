import type { ComponentChildren } from 'preact'
import { t } from '../texts/account.js'

/** Shows a form for secrets, unless they would cross the network without encryption. */
export function SecureOnly({ children }: { readonly children: ComponentChildren }) {
  if (isSecureContext) return <>{children}</>
  return (
    <p class="notice notice-warn" role="alert">
      {t.notEncrypted} <code>http://localhost:{location.port || '80'}</code>
    </p>
  )
}
