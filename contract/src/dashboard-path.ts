/** Apart from the shapes of the figures: what only marks them as stale needs no more than this. */
export const dashboardPath = '/users/dashboard'
