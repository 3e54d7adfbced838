const DAY_TIME = new Intl.DateTimeFormat('en-IN', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
const CLOCK = new Intl.DateTimeFormat('en-IN', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const STEPS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** Formats a duration in its two largest units: `3 d 4 h`, `12 min 5 s`. */
export function timeLeftText(leftMs: number): string {
  const first = STEPS.findIndex(([, stepMs]) => leftMs >= stepMs)
  if (first < 0) return 'moments'
  let rest = leftMs
  const parts: string[] = []
  for (const [unit, stepMs] of STEPS.slice(first, first + 2)) {
    const count = Math.floor(rest / stepMs)
    rest -= count * stepMs
    if (count > 0) parts.push(`${count} ${unit}`)
  }
  return parts.join(' ')
}

/** `21 Nov 2026, 4:49 pm`, in the time zone of the reader. */
export function dayTimeText(time: string | number): string {
  return DAY_TIME.format(new Date(time))
}

/** `16:49:08`, in the time zone of the reader. */
export function clockText(time: string | number): string {
  return CLOCK.format(new Date(time))
}
