import { remembered } from './browser-memory.js'

/** Sets a chosen theme before anything is drawn; without one the page follows the system. */
const chosen = remembered('theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
