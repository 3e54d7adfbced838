import type { Signal } from '@preact/signals'
import type { Role } from '../../../api/auth/auth-shape.js'
import { ROLES } from './access-requests.js'

const MEANINGS: Readonly<Record<Role, string>> = {
  viewer: 'viewer: looks at their own portfolio',
  trader: 'trader: trades',
  operator: 'operator: also runs events, money and backups',
  admin: 'admin: also manages accounts',
}

/** Chooses a role. */
export function RoleChoice({ role }: { readonly role: Signal<Role> }) {
  return (
    <div class="form-field">
      <label for="field-role">Role</label>
      <select
        id="field-role"
        class="field"
        value={role.value}
        onChange={event => {
          role.value = event.currentTarget.value as Role
        }}
      >
        {ROLES.map(value => (
          <option key={value} value={value}>
            {MEANINGS[value]}
          </option>
        ))}
      </select>
    </div>
  )
}
