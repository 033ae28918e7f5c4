import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Log } from '../log/log.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
}
export interface Mailer {
  /** Resolves once the mail server (or the outbox) has taken it; rejects so that the job is tried again. */
  send(mail: Mail): Promise<void>
}

/** Mail by SMTP where `url` is given, else as .eml files in `outbox`, with the text in the log. */
export function createMailer(options: { url: string | undefined; from: string; outbox: string; log: Log }): Mailer {
  const { url, from, outbox, log } = options
  if (url) {
    const transport = createTransport(url)
    return { send: async (mail) => void (await transport.sendMail({ from, ...mail })) }
  }
  const transport = createTransport({ streamTransport: true, buffer: true })
  return {
    async send(mail) {
      const { message } = await transport.sendMail({ from, ...mail })
      await mkdir(outbox, { recursive: true, mode: 0o700 })
      const name = `${Date.now()}-${randomBytes(4).toString('hex')}.eml`
      await writeFile(join(outbox, name), message as Buffer, { mode: 0o600 })
      log.info(`mail for ${mail.to} in ${join(outbox, name)}: ${mail.subject}\n${mail.text}`)
    },
  }
}
