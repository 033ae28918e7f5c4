import { z } from 'zod'
import { Instant } from './common.ts'
import { AnsweredByPasskey } from './passkeys.ts'

/** Six digits of an authenticator app. */
export const LoginCode = z
  .string()
  .trim()
  .regex(/^\d{3} ?\d{3}$/, 'loginCode')
export const RecoveryCode = z.string().trim().min(10).max(60)

/** A login that goes on with a second factor. */
export const SecondStep = z.object({
  secondFactor: z.object({
    token: z.string(),
    /** `passkey`: it answers this step, or the person logs in by it instead, which needs no password. */
    methods: z.array(z.enum(['code', 'recoveryCode', 'passkey'])),
    expiresAt: Instant,
  }),
})
export type SecondStep = z.infer<typeof SecondStep>

export const SecondFactor = z
  .strictObject({
    token: z.string().min(1).max(200),
    code: LoginCode.optional(),
    recoveryCode: RecoveryCode.optional(),
    /** The answer to a question of POST /auth/passkey/start. */
    passkey: AnsweredByPasskey.optional(),
  })
  .refine(
    (given) => [given.code, given.recoveryCode, given.passkey].filter((each) => each !== undefined).length === 1,
    {
      path: ['code'],
      message: 'oneCode',
    },
  )
export type SecondFactor = z.infer<typeof SecondFactor>
