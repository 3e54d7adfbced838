import { t } from '../../../texts/portfolio.js'
import type { List } from './list.js'
import type { ListView } from './list-view.js'
import { PERIODS } from './period.js'

interface ListControlsProps {
  readonly list: Pick<List<never>, 'kinds'>
  readonly view: ListView
  readonly onChange: (changes: Partial<ListView>) => void
  readonly onSave: () => Promise<void>
  readonly canSave: boolean
}

/** Filters, grouping and the file of a list. */
export function ListControls({ list, view, onChange, onSave, canSave }: ListControlsProps) {
  return (
    <div class="list-controls">
      <select
        class="field"
        aria-label={t.period}
        value={view.period}
        onChange={event => {
          const period = PERIODS.find(name => name === event.currentTarget.value)
          if (period !== undefined) onChange({ period })
        }}
      >
        {PERIODS.map(period => (
          <option key={period} value={period}>
            {t.periods[period]}
          </option>
        ))}
      </select>
      {list.kinds !== undefined && (
        <select
          class="field"
          aria-label={t.status}
          value={view.kind}
          onChange={event => onChange({ kind: event.currentTarget.value })}
        >
          <option value="">{t.allStatuses}</option>
          {list.kinds.choices.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
      <input
        class="field"
        type="search"
        placeholder={t.filterMarkets}
        aria-label={t.filterMarkets}
        value={view.words}
        onInput={event => onChange({ words: event.currentTarget.value.trim() })}
      />
      <label class="list-group">
        <input
          type="checkbox"
          checked={view.isGrouped}
          onChange={event => onChange({ isGrouped: event.currentTarget.checked })}
        />
        {t.groupByMarket}
      </label>
      <button type="button" class="button" disabled={!canSave} onClick={() => void onSave()}>
        {t.downloadCsv}
      </button>
    </div>
  )
}
