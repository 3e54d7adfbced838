import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { addSettings, settingsGiven } from '../settings-options.js'

/** `raay demo`: `raay start --demo`. */
export function demoCommand(): Command {
  const made = command('demo', 'run a demo: raay start --demo, made-up events traded by bots', [
    'raay demo                           http://127.0.0.1:3000',
    'raay demo --port 8080 --demo-rate 20',
    'raay demo --demo-fresh              delete its trades and start over',
    'raay demo --demo-remove             delete it',
    'raay verify --data data/demo        its journal is a real one',
  ])
  note(
    made,
    `Six events and a cup of eight teams, with a few days of history; bots (users named bot-…) keep
trading them. All prices, traders and outcomes are made up.

The demo is stored in data/demo, in demo below RAAY_DATA, or where --data says: never in the directory of
another exchange, which in turn never starts in the demo's. After a restart it continues where it stopped.

Exit codes: those of raay start.`,
  )
  return addSettings(made).action(async () => {
    const { runExchange } = await import('../run-exchange.js')
    await runExchange({ ...settingsGiven(made), demo: 'yes' })
  })
}
