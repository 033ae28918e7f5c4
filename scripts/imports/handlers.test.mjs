import { expect, test } from 'vitest'
import { checkHandlers } from './handlers.mjs'

const check = (path, text) => checkHandlers(new Map([[path, text]]))
const app = 'server/src/app.ts'
const routes = 'server/src/features/users/routes.ts'

test.each([
  [app, `import { userHandlers } from './features/users/routes.ts'\nserve(app, services, users, userHandlers)`],
  [
    app,
    `serve(app, services, users, { ...userHandlers({ add: () => f(1) }), ...list })\nserve(a, s, b, carHandlers(x))`,
  ],
  [routes, `export const userHandlers: Handlers<typeof users> = {}`],
  [routes, '// userHandlers are served by the app'],
  ['server/src/features/users/users.db.test.ts', 'userHandlers.one(ctx)'],
])('%s: %s is allowed', (path, text) => {
  expect(check(path, text)).toEqual([])
})

test.each([
  [app, `const { one } = userHandlers({ a })`],
  [app, `serve(app, services, users, list)\nuserHandlers.one(ctx, { params, query, body })`],
  [app, `import { userHandlers as people } from './features/users/routes.ts'`],
  ['server/src/report-sources.ts', `import { userHandlers } from './features/users/routes.ts'`],
  [routes, `export const userHandlers = {}\nuserHandlers.one(ctx)`],
])('%s: %s is refused', (path, text) => {
  expect(check(path, text)).toEqual([expect.stringContaining('userHandlers may be given to serve')])
})

test('the line is named', () => {
  expect(check(app, `\n\nuserHandlers.one()`)[0]).toMatch(/^server\/src\/app\.ts:3 /)
})
