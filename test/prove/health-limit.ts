/** The longest that the health check may take under attack. */
export const HEALTH_MS_MAX = 500
