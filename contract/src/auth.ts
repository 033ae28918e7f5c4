import { z } from 'zod'
import { get, patch, post } from './call.ts'
import { Country, Done, Email, Id, Instant, Locale, Password, Phone, personalName, TimeZone } from './common.ts'
import { Company } from './company.ts'
import { AnsweredByPasskey, PasskeyQuestion } from './passkeys.ts'
import { PermissionMatrix, Role } from './permissions.ts'
import { SecondFactor, SecondStep } from './second-factor.ts'

/** To be raised when the terms and conditions (`shell.json`, `terms`) change: then everybody is asked again. */
export const termsVersion = 1

/** The person who is logged in. */
export const Profile = z.object({
  id: Id,
  fullname: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  role: Role,
  timezone: z.string(),
  locale: Locale,
  loginCount: z.number().int(),
  lastLoginAt: Instant.nullable(),
  roleModulePermissions: PermissionMatrix,
})
export type Profile = z.infer<typeof Profile>

export const LoggedIn = z.object({
  tokens: z.object({ accessToken: z.string() }),
  user: Profile,
  company: Company,
  isShowTermsAndConditions: z.boolean(),
  /** The company asks for a second factor: until there is one the session may set it up and do nothing else. */
  mustEnrol: z.boolean(),
})
export type LoggedIn = z.infer<typeof LoggedIn>

export const Register = z.strictObject({
  companyName: personalName(120),
  fullname: personalName(120),
  email: Email,
  password: Password,
  phone: Phone.optional(),
  country: Country.optional(),
  timezone: TimeZone.default('UTC'),
  locale: Locale.default('en'),
  /** From the provider's sign-up link; needed where registration is by invitation. */
  invitation: z.string().max(1000).optional(),
})
/** Sign-up: open to anybody, to people whom the provider sent a link, or closed. */
export const Registration = z.enum(['open', 'invite', 'off'])
export const Login = z.strictObject({ email: Email, password: z.string().min(1).max(200) })
export const ByEmail = z.strictObject({ email: Email })
export const NewPassword = z.strictObject({ password: Password })
/** The token of a mailed link. */
export const ByLink = z.strictObject({ token: z.string().min(1).max(200) })
export const SetUp = ByLink.extend({ password: Password })
export const Person = z.object({ fullname: z.string(), email: z.string() })

export const ProfileChange = z.strictObject({
  fullname: personalName(120).optional(),
  phone: Phone.nullable().optional(),
  timezone: TimeZone.optional(),
  locale: Locale.optional(),
})
export const PasswordChange = z.strictObject({ currentPassword: z.string().min(1).max(200), newPassword: Password })

const Session = LoggedIn.omit({ tokens: true })

export const auth = {
  registration: get('/auth/registration', {
    needs: 'public',
    summary: 'Tells who may sign a company up here, and whether people can log in by passkey',
    returns: z.object({ mode: Registration, takesPasskeys: z.boolean() }),
  }),
  register: post('/auth/register', {
    needs: 'public',
    limit: 'mail',
    summary: 'Creates a company and its first Admin, and sends the verification mail',
    body: Register,
    returns: z.object({ email: z.string() }),
  }),
  login: post('/auth/login', {
    needs: 'public',
    limit: 'login',
    summary: 'Exchanges mail address and password for an access token, or for the second step of the login',
    body: Login,
    returns: z.union([LoggedIn, SecondStep]),
  }),
  secondFactor: post('/auth/second-factor', {
    needs: 'public',
    limit: 'secondFactor',
    summary: 'The second step of a login: a code of the app, a recovery code or a passkey; five tries',
    body: SecondFactor,
    returns: LoggedIn,
  }),
  startPasskey: post('/auth/passkey/start', {
    needs: 'public',
    limit: 'secondFactor',
    summary: 'A question to the browser for a passkey, whosever it is',
    returns: PasskeyQuestion,
  }),
  loginByPasskey: post('/auth/passkey/finish', {
    needs: 'public',
    limit: 'secondFactor',
    summary: 'Exchanges the answer of a passkey for an access token: it counts as two factors',
    body: AnsweredByPasskey,
    returns: LoggedIn,
  }),
  logout: post('/auth/logout', {
    needs: 'session',
    enrols: true,
    summary: 'Revokes the access token it is called with',
    returns: Done,
  }),
  forgotPassword: post('/auth/forgotpassword', {
    needs: 'public',
    limit: 'mail',
    summary: 'Mails a link to set a new password; the same answer whether or not the address is known',
    body: ByEmail,
    returns: Done,
  }),
  checkReset: get('/auth/resetpassword/:token', {
    needs: 'public',
    limit: 'token',
    deprecated: true,
    summary: 'Tells whether a reset link is still valid; does not use it up',
    returns: z.object({ email: z.string() }),
  }),
  resetPassword: patch('/auth/resetpassword/:token', {
    needs: 'public',
    limit: 'token',
    deprecated: true,
    summary: 'Sets the new password, uses the link up and ends every session of the person',
    body: NewPassword,
    returns: Done,
  }),
  checkResetLink: post('/auth/resetpassword/check', {
    needs: 'public',
    limit: 'token',
    readOnly: true,
    summary: 'As GET, with the token where no proxy logs it',
    body: ByLink,
    returns: z.object({ email: z.string() }),
  }),
  resetByLink: post('/auth/resetpassword', {
    needs: 'public',
    limit: 'token',
    summary: 'As PATCH, with the token where no proxy logs it',
    body: SetUp,
    returns: Done,
  }),
  checkVerify: get('/auth/verify/:token', {
    needs: 'public',
    limit: 'token',
    deprecated: true,
    summary: 'Tells whether a verification link is valid; verifies nothing, as mail scanners open links',
    returns: z.object({ email: z.string() }),
  }),
  verify: post('/auth/verify', {
    needs: 'public',
    limit: 'token',
    summary: 'Verifies the mail address; may be repeated',
    body: ByLink,
    returns: z.object({ email: z.string() }),
  }),
  resendVerification: post('/auth/verify/resend', {
    needs: 'public',
    limit: 'mail',
    summary: 'Mails a new verification link; the same answer for any address',
    body: ByEmail,
    returns: Done,
  }),
  checkSetup: get('/users/setup/:token/verify', {
    needs: 'public',
    limit: 'token',
    deprecated: true,
    summary: 'Tells whether an invitation is valid, with the name and mail address to show',
    returns: Person,
  }),
  checkSetupLink: post('/users/setup/check', {
    needs: 'public',
    limit: 'token',
    readOnly: true,
    summary: 'As GET, with the token where no proxy logs it',
    body: ByLink,
    returns: Person,
  }),
  setup: post('/users/setup', {
    needs: 'public',
    limit: 'token',
    summary: 'An invited person sets a password, which uses the invitation up',
    body: SetUp,
    returns: Person,
  }),
  profile: get('/auth/profile', {
    needs: 'session',
    enrols: true,
    summary: 'The person logged in, their company, permissions, chart settings, and whether terms are to be shown',
    returns: Session,
  }),
  changeProfile: patch('/auth/user/profile', {
    needs: 'session',
    summary: 'Changes the personal profile',
    body: ProfileChange,
    returns: Profile,
  }),
  changePassword: patch('/auth/user/password', {
    needs: 'session',
    limit: 'password',
    summary: 'Changes the password and ends the other sessions of the person',
    body: PasswordChange,
    returns: Done,
  }),
  acceptTerms: patch('/auth/updateTerms', {
    needs: 'session',
    summary: 'Accepts the terms and conditions',
    body: z.strictObject({ termsAndConditions: z.literal(true) }),
    returns: Done,
  }),
}
