const SHAPES = {
  sun: 'M12 3v2m0 14v2m9-9h-2M5 12H3m15-6-1 1M7 17l-1 1M6 6l1 1m10 10 1 1M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z',
  more: 'm6 9 6 6 6-6',
  minus: 'M6 12h12',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6 6 18',
  plus: 'M6 12h12M12 6v12',
  share: 'M12 15V4m0 0L8 8m4-4 4 4M5 12v7h14v-7',
  star: 'm12 3.6 2.6 5.3 5.8.8-4.2 4.1 1 5.8-5.2-2.8-5.2 2.8 1-5.8-4.2-4.1 5.8-.8Z',
  markets: 'M4 18V9m5 9V5m5 13v-7m5 7V7',
  portfolio: 'M4 8h16v11H4Zm5 0V5h6v3M4 13h16',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 8v5m0-8.5v.5',
  people: 'M8 20v-8H3v8m10 0V5H8m5 15v-5h5v5M2 20h18',
} as const

/** A decorative icon, hidden from screen readers. */
export function Icon({ shape }: { readonly shape: keyof typeof SHAPES }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={SHAPES[shape]} />
    </svg>
  )
}
