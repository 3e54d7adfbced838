import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { addSettings, settingsGiven } from '../settings-options.js'

/** `raay start`: runs the exchange until a signal ends it. */
export function startCommand(): Command {
  const made = command('start', 'run the exchange until SIGTERM or Ctrl+C', [
    'raay start',
    'raay start --port 8080 --data /srv/raay --starting-balance 5000',
    'raay start --auth accounts --public-url https://raay.example.org',
  ])
  note(
    made,
    `Options take precedence over variables, and variables over config.json in the data directory.

Exit codes: 0 stopped by a signal, 1 cannot start, 2 wrong use, 70 stopped by a fault.`,
  )
  return addSettings(made).action(async () => {
    const { runExchange } = await import('../run-exchange.js')
    await runExchange(settingsGiven(made))
  })
}
