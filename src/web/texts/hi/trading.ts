/** The areas that the trading pages need. */
export { hi as groups } from './groups.js'
export { hi as market } from './market.js'
export { hi as markets } from './markets.js'
export { hi as notices } from './notices.js'
export { hi as people } from './people.js'
export { hi as portfolio } from './portfolio.js'
export { hi as ticket } from './ticket.js'
export { hi as share } from './share.js'
