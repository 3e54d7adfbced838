import type { Check } from '../../api/operator/operator-shape.js'

export type { Check }

export function ok(name: string, found: string): Check {
  return { name, result: 'ok', found }
}

export function warn(name: string, found: string, advice: string): Check {
  return { name, result: 'warn', found, advice }
}

export function fail(name: string, found: string, advice: string): Check {
  return { name, result: 'fail', found, advice }
}
