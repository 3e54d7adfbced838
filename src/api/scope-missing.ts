/** Returns the message for credentials without a scope that a request needs. */
export function scopeMissing(scope: string): string {
  return `Your credentials lack the scope ${scope}`
}
