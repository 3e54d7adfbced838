/** The areas that the trading, operator and account pages need. */
export { hi as frame } from './frame.js'
export { hi as kit } from './kit.js'
