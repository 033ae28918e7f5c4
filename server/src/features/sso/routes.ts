import type { LoggedIn } from '@isotherm/contract/auth.ts'
import type { SecondStep } from '@isotherm/contract/second-factor.ts'
import type { sso } from '@isotherm/contract/sso.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { startLogin, startProof, startTest } from './begin.ts'
import { changePolicy, removeConnection, unlinkPerson } from './change-policy.ts'
import { addDomain, checkDomain, removeDomain } from './domains.ts'
import { logInBySso, type OpenSession } from './log-in.ts'
import { readSso } from './present.ts'
import { finishProof, finishTest } from './prove.ts'
import { saveIssuer } from './save-issuer.ts'

/** The functions of the feature that owns logins. */
interface Logins<Opened> {
  open: OpenSession<Opened>
  present(opened: Opened, now: Date): LoggedIn | SecondStep
}

export const ssoHandlers = <Opened>({ open, present }: Logins<Opened>): Handlers<typeof sso> => ({
  read: (ctx) => readSso(ctx),
  save: (ctx, { body }) => saveIssuer(ctx, body),
  remove: (ctx) => removeConnection(ctx),
  change: (ctx, { body }) => changePolicy(ctx, body),
  addDomain: (ctx, { body }) => addDomain(ctx, body.domain),
  checkDomain: (ctx, { params }) => checkDomain(ctx, params.id),
  removeDomain: (ctx, { params }) => removeDomain(ctx, params.id),
  test: (ctx) => startTest(ctx),
  finishTest: (ctx, { body }) => finishTest(ctx, body),
  unlink: (ctx, { params }) => unlinkPerson(ctx, params.id),
  start: (ctx, { body }) => startLogin(ctx, body.email),
  finish: async (ctx, { body }) => present(await logInBySso(ctx, body, open), ctx.clock.now()),
  startProof: (ctx) => startProof(ctx),
  finishProof: (ctx, { body }) => finishProof(ctx, body),
})
