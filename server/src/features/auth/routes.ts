import type { auth } from '@isotherm/contract/auth.ts'
import { done } from '@isotherm/contract/common.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { checkLink, checkVerifyLink, setPasswordByLink, verifyAddress, wantLink } from './links.ts'
import { presentProfile } from './present.ts'
import { acceptTerms, changePassword, changeProfile, currentSession } from './profile.ts'
import { register } from './registration.ts'
import { logIn, logOut } from './sign-in.ts'

export const authHandlers: Handlers<typeof auth> = {
  registration: async ({ services }) => ({ mode: services.config.registration }),
  register: (ctx, { body }) => register(ctx, body),
  login: (ctx, { body }) => logIn(ctx, body),
  async logout(ctx) {
    await logOut(ctx)
    return done
  },
  async forgotPassword(ctx, { body }) {
    await wantLink(ctx, body.email, 'reset')
    return done
  },
  checkReset: (ctx, { params }) => checkLink(ctx, params.token, 'reset'),
  async resetPassword(ctx, { params, body }) {
    await setPasswordByLink(ctx, { token: params.token, password: body.password, purpose: 'reset' })
    return done
  },
  checkResetLink: (ctx, { body }) => checkLink(ctx, body.token, 'reset'),
  async resetByLink(ctx, { body }) {
    await setPasswordByLink(ctx, { ...body, purpose: 'reset' })
    return done
  },
  checkVerify: (ctx, { params }) => checkVerifyLink(ctx, params.token),
  verify: (ctx, { body }) => verifyAddress(ctx, body.token),
  async resendVerification(ctx, { body }) {
    await wantLink(ctx, body.email, 'verify')
    return done
  },
  checkSetup: (ctx, { params }) => checkLink(ctx, params.token, 'invite'),
  checkSetupLink: (ctx, { body }) => checkLink(ctx, body.token, 'invite'),
  setup: (ctx, { body }) => setPasswordByLink(ctx, { ...body, purpose: 'invite' }),
  profile: (ctx) => currentSession(ctx),
  changeProfile: async (ctx, { body }) => presentProfile(await changeProfile(ctx, body), ctx.person.permissions),
  async changePassword(ctx, { body }) {
    await changePassword(ctx, body)
    return done
  },
  async acceptTerms(ctx) {
    await acceptTerms(ctx)
    return done
  },
}
