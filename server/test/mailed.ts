import type { Mail } from '../src/platform/mail/mailer.ts'
import type { TestApp } from './harness.ts'

/** The mails to an address, oldest first. */
export const mailsTo = async (test: TestApp, email: string): Promise<Mail[]> =>
  (await test.mails()).filter((mail) => mail.to === email)

/** The token in the link of the newest mail to an address. */
export async function mailedToken(test: TestApp, email: string): Promise<string> {
  const mail = (await mailsTo(test, email)).at(-1)
  const token = /\/(?:verify|reset|usersetup)#([\w-]+)/.exec(mail?.text ?? '')?.[1]
  if (!token) throw new Error(`no link was mailed to ${email}`)
  return token
}
