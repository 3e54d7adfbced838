import { fileURLToPath } from 'node:url'

/** The script that runs `raay <verb> …` with this Node. */
export const PROGRAM = fileURLToPath(new URL('./raay.js', import.meta.url))
