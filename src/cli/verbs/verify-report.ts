import type { CheckReport, Report } from '../../verify/checks.js'

const FINDINGS_SHOWN = 20
const COLORS = { ok: '32', broken: '31', skipped: '33' } as const
const NAME_WIDTH = 13

/** Formats the result of a verification: totals, each check, the first findings. */
export function reportText(report: Report, seconds: number, isColored: boolean): string {
  const { orders, commands, sequence, journalSequence, accounts, markets } = report
  const { openOrders, stateHash, checks, ok } = report
  const rate = count(Math.round(orders / seconds))
  const ahead = journalSequence - sequence
  const more = ahead > 0 ? `, and ${count(ahead)} in the journal that the tables do not include yet` : ''
  const counts = [
    `${count(sequence)} batches, ${count(commands)} commands${more}`,
    `${count(accounts)} accounts, ${count(markets)} events`,
    `${count(orders)} orders (${count(openOrders)} open), state ${stateHash ?? 'unknown'}`,
  ]
  const lines = checks.map(check => checkLine(check, isColored))
  const found = checks.flatMap(({ name, findings }) => findings.map(finding => `  ${name}: ${finding}`))
  const all = checks.reduce((sum, check) => sum + check.count, 0)
  const shown = found.slice(0, FINDINGS_SHOWN)
  const rest = all > shown.length ? [`  … and ${count(all - shown.length)} more`] : []
  const verdict = ok
    ? paint('The file is in order', COLORS.ok, isColored)
    : paint('The file is NOT in order', COLORS.broken, isColored)
  const end = `${verdict}: ${seconds.toFixed(1)} s, ${rate} journalled orders/s.`
  return `${[...counts, '', ...lines, '', ...shown, ...rest, ...(ok ? [] : ['']), end].join('\n')}\n`
}

function checkLine({ name, rule, result, count: found }: CheckReport, isColored: boolean): string {
  const word = result === 'broken' ? `${count(found)} wrong` : result
  return `  ${name.padEnd(NAME_WIDTH)} ${paint(word.padEnd(9), COLORS[result], isColored)} ${rule}`
}

const paint = (text: string, color: string, isColored: boolean) =>
  isColored ? `\u001b[${color}m${text}\u001b[0m` : text

const count = (value: number) => value.toLocaleString('en')
