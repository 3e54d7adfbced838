/** The areas that the operator pages alone need. */
export { hi as adminAccess } from './admin-access.js'
export { hi as adminEvents } from './admin-events.js'
export { hi as adminFrame } from './admin-frame.js'
export { hi as adminHealth } from './admin-health.js'
export { hi as adminList } from './admin-list.js'
export { hi as adminLog } from './admin-log.js'
export { hi as adminTemplates } from './admin-templates.js'
export { hi as adminUsers } from './admin-users.js'
