/** One finding of `raay doctor`. */
export interface Check {
  readonly name: string
  /** `fail`: an exchange would not start, or not keep its promises. */
  readonly result: 'ok' | 'warn' | 'fail'
  readonly found: string
  /** The way to fix it; absent if the result is ok. */
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
