import { createHash, randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isOfSandbox } from '@isotherm/contract/sandbox.ts'
import { createTransport } from 'nodemailer'
import { type Log, redactUrl } from '../log/log.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** Tells it from every other mail: makes its Message-ID, alike for each try, and its file in the outbox. */
  key?: string
  /** Files, or pictures that its HTML shows by their `cid`. */
  attachments?: ({ filename: string; contentType: string } & ({ path: string } | { content: Buffer; cid: string }))[]
}
export interface Mailer {
  /** Resolves once the mail server (or the outbox) has taken it; rejects so that the job is tried again. */
  send(mail: Mail): Promise<void>
}

const digestOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 32)

/** As nodemailer takes it. The Message-ID of a mail with a key lets a mailbox that gets it twice show it once. */
const envelopeOf = (from: string, { key, ...mail }: Mail) => ({
  from,
  headers,
  ...mail,
  ...(key ? { messageId: `<${digestOf(key)}@${/@([^>\s]+)/.exec(from)?.[1] ?? 'isotherm'}>` } : {}),
})

// Nobody's holiday reply is wanted.
const headers = { 'Auto-Submitted': 'auto-generated' }

/** Mail by SMTP where `url` is given, else as .eml files in `outbox`, with the text in the log, without the tokens of its links; none to people of sandboxes, who have no mailbox. */
export function createMailer(options: { url: string | undefined; from: string; outbox: string; log: Log }): Mailer {
  const { url, from, outbox, log } = options
  const mailer = url ? smtpMailer(url, from) : outboxMailer(from, outbox, log)
  return { send: async (mail) => (isOfSandbox(mail.to) ? undefined : mailer.send(mail)) }
}

/**
 * Whether a server that offers no STARTTLS is refused: else whoever stands between could read mails and password. An operator
 * whose relay has no TLS says so in the address, by `?ignoreTLS=true`.
 */
export const needsTls = (url: string): boolean => {
  const { protocol, hostname, searchParams } = new URL(url)
  if (searchParams.get('ignoreTLS') === 'true') return false
  return protocol === 'smtp:' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}

function smtpMailer(url: string, from: string): Mailer {
  const requireTLS = needsTls(url)
  const transport = createTransport({
    url,
    requireTLS,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  })
  return { send: async (mail) => void (await transport.sendMail(envelopeOf(from, mail))) }
}

function outboxMailer(from: string, outbox: string, log: Log): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(mail) {
      const { message } = await transport.sendMail(envelopeOf(from, mail))
      await mkdir(outbox, { recursive: true, mode: 0o700 })
      const path = join(
        outbox,
        `${mail.key ? digestOf(mail.key) : `${Date.now()}-${randomBytes(4).toString('hex')}`}.eml`,
      )
      await writeFile(path, message as Buffer, { mode: 0o600 })
      log.info(`mail for ${mail.to} in ${path}: ${mail.subject}\n${redactUrl(mail.text)}`)
    },
  }
}
