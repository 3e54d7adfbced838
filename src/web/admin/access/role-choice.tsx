import type { Signal } from '@preact/signals'
import type { Role } from '../../../api/auth/auth-shape.js'
import { t } from '../../texts/admin-access.js'
import { ROLES } from './access-requests.js'

/** Chooses a role. */
export function RoleChoice({ role }: { readonly role: Signal<Role> }) {
  return (
    <div class="form-field">
      <label for="field-role">{t.role}</label>
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
            {t.roles[value]}
          </option>
        ))}
      </select>
    </div>
  )
}
