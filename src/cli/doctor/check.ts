/** What `raay doctor` found of one thing. */
export interface Check {
  readonly name: string
  /** `fail`: an exchange will not start, or not keep what it promises. */
  readonly result: 'ok' | 'warn' | 'fail'
  readonly found: string
  /** What to do; none where it is ok. */
  readonly advice?: string
}

export function ok(name: string, found: string): Check {
  return { name, result: 'ok', found }
}

export function warn(name: string, found: string, advice: string): Check {
  return { name, result: 'warn', found, advice }
}

export function fail(name: string, found: string, advice: string): Check {
  return { name, result: 'fail', found, advice }
}
