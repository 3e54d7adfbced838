import { remembered } from './browser-memory.js'

/** Applies the stored theme before the first paint; without one the page follows the system. */
const chosen = remembered('theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
