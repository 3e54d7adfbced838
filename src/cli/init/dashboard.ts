import { JOB } from './alerts.js'
import type { Panel, Row } from './panels.js'
import { ROWS } from './panels.js'

/** Columns of Grafana's grid. */
const COLUMNS = 24
const SIZES = { stat: { w: 6, h: 4 }, timeseries: { w: 8, h: 8 } } as const
/** Grafana's version 9 and later read it. */
const SCHEMA_VERSION = 38
const SOURCE = { type: 'prometheus', uid: '$source' }
/** Stands in place of `%`: one exchange, as chosen above the panels. */
const CHOSEN = `{job="${JOB}", instance="$instance"}`

/** Returns a dashboard of Grafana, to be imported: Dashboards, New, Import. */
export function dashboard(): string {
  const panels: object[] = []
  let y = 0
  for (const row of ROWS) {
    const placed = placedAt(row, y, panels.length)
    for (const panel of placed.panels) panels.push(panel)
    y = placed.end
  }
  const made = {
    title: 'Raay',
    uid: 'raay',
    tags: ['raay'],
    schemaVersion: SCHEMA_VERSION,
    refresh: '10s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [SOURCE_CHOICE, INSTANCE_CHOICE] },
    annotations: { list: [STARTS] },
    panels,
  }
  return `${JSON.stringify(made, undefined, 2)}\n`
}

const SOURCE_CHOICE = { name: 'source', label: 'Source', type: 'datasource', query: 'prometheus' }
const INSTANCE_CHOICE = {
  name: 'instance',
  label: 'Exchange',
  type: 'query',
  datasource: SOURCE,
  query: `label_values(raay_build_info{job="${JOB}"}, instance)`,
  refresh: 2,
}
const STARTS = {
  name: 'Starts',
  datasource: SOURCE,
  enable: true,
  iconColor: 'orange',
  expr: `resets(raay_uptime_seconds${CHOSEN}[2m]) > 0`,
  titleFormat: 'started',
}

/** Returns the heading of a row and its panels, in lines from left to right, and the row's end. */
function placedAt({ title, panels }: Row, top: number, count: number) {
  const made: object[] = [
    {
      id: count + 1,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y: top, w: COLUMNS, h: 1 },
      panels: [],
    },
  ]
  let x = 0
  let y = top + 1
  let end = y
  for (const panel of panels) {
    const size = SIZES[panel.type]
    if (x + size.w > COLUMNS) {
      x = 0
      y = end
    }
    made.push({ id: count + made.length + 1, ...panelOf(panel), gridPos: { x, y, ...size } })
    x += size.w
    end = y + size.h
  }
  return { panels: made, end }
}

function panelOf({ title, type, unit, lines }: Panel): object {
  const targets = lines.map(([expr, legendFormat], index) => ({
    refId: String.fromCharCode('A'.charCodeAt(0) + index),
    datasource: SOURCE,
    expr: expr.replaceAll('%', CHOSEN),
    legendFormat,
  }))
  return {
    type,
    title,
    datasource: SOURCE,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets,
  }
}
