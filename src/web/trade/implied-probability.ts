export type { Quotes } from '../../api/events/implied-chance.js'
export { chanceOf } from '../../api/events/implied-chance.js'
