import type { auth } from '@isotherm/contract/auth.ts'
import { presentQuestion } from '../../core/people/passkey-question.ts'
import { passkeySite } from '../../platform/auth/webauthn.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { checkLink, checkVerifyLink, setPasswordByLink, verifyAddress, wantLink } from './links.ts'
import {
  presentAddress,
  presentAddressee,
  presentLogin,
  presentLoginOrStep,
  presentProfile,
  presentSession,
} from './present.ts'
import { acceptTerms, changePassword, changeProfile, currentSession } from './profile.ts'
import { register } from './registration.ts'
import { finishLogIn, logInByPasskey, startPasskeyLogIn } from './second-step.ts'
import { logIn, logOut } from './sign-in.ts'

export const authHandlers: Handlers<typeof auth> = {
  registration: async ({ services: { config } }) => ({
    mode: config.registration,
    takesPasskeys: 'host' in passkeySite(config.publicUrl),
  }),
  register: (ctx, { body }) => register(ctx, body),
  login: async (ctx, { body }) => presentLoginOrStep(await logIn(ctx, body), ctx.clock.now()),
  secondFactor: async (ctx, { body }) => presentLogin(await finishLogIn(ctx, body), ctx.clock.now()),
  startPasskey: async (ctx) => presentQuestion(await startPasskeyLogIn(ctx)),
  loginByPasskey: async (ctx, { body }) => presentLogin(await logInByPasskey(ctx, body), ctx.clock.now()),
  logout: (ctx) => logOut(ctx),
  forgotPassword: (ctx, { body }) => wantLink(ctx, body.email, 'reset'),
  checkReset: async (ctx, { params }) => presentAddressee(await checkLink(ctx, params.token, 'reset')),
  async resetPassword(ctx, { params, body }) {
    await setPasswordByLink(ctx, { token: params.token, password: body.password, purpose: 'reset' })
  },
  checkResetLink: async (ctx, { body }) => presentAddressee(await checkLink(ctx, body.token, 'reset')),
  async resetByLink(ctx, { body }) {
    await setPasswordByLink(ctx, { ...body, purpose: 'reset' })
  },
  checkVerify: async (ctx, { params }) => presentAddress(await checkVerifyLink(ctx, params.token)),
  verify: async (ctx, { body }) => presentAddress(await verifyAddress(ctx, body.token)),
  resendVerification: (ctx, { body }) => wantLink(ctx, body.email, 'verify'),
  checkSetup: async (ctx, { params }) => presentAddressee(await checkLink(ctx, params.token, 'invite')),
  checkSetupLink: async (ctx, { body }) => presentAddressee(await checkLink(ctx, body.token, 'invite')),
  setup: async (ctx, { body }) => presentAddressee(await setPasswordByLink(ctx, { ...body, purpose: 'invite' })),
  profile: async (ctx) => presentSession(await currentSession(ctx), ctx.clock.now()),
  changeProfile: async (ctx, { body }) => presentProfile(await changeProfile(ctx, body), ctx.person.permissions),
  changePassword: (ctx, { body }) => changePassword(ctx, body),
  acceptTerms: (ctx) => acceptTerms(ctx),
}
