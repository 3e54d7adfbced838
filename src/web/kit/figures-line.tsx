interface FiguresLineProps {
  readonly figures: readonly (readonly [label: string, value: string])[]
  /** Further classes, such as `card`, and `figures-five` for five columns. */
  readonly class?: string
}

/** Shows figures side by side, each below its label. */
export function FiguresLine({ figures, class: more = '' }: FiguresLineProps) {
  return (
    <dl class={`figures-line ${more}`.trim()}>
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
