/** The areas that the operator's pages alone need. */
export { hi as adminEvents } from './admin-events.js'
