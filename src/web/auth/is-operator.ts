import type { Caller } from '../../api/auth/auth-shape.js'

/** Returns true for those who may run the exchange. */
export function isOperator({ role }: Caller): boolean {
  return role === 'operator' || role === 'admin'
}
