import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import type { Log } from '../log/log.ts'
import { letter, mailOfParts } from './letter.ts'
import { createMailer, type Mail, needsTls } from './mailer.ts'

const mail: Mail = { to: 'ada@example.test', subject: 'Grüße', text: 'Öffnen: https://x.test/a', html: '<p>Öffnen</p>' }
const from = 'Isotherm <isotherm@x.test>'
const silent = { info: () => {} } as unknown as Log

async function smtpServer(options: SMTPServerOptions) {
  const taken: { from: string; to: string[]; source: string }[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onData: async (stream, session, done) => {
      const { mailFrom, rcptTo } = session.envelope
      const sender = mailFrom ? mailFrom.address : ''
      taken.push({ from: sender, to: rcptTo.map(({ address }) => address), source: await text(stream) })
      done()
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', () => listening()))
  onTestFinished(() => new Promise<void>((closed) => server.close(() => closed())))
  return { taken, host: `127.0.0.1:${(server.server.address() as AddressInfo).port}` }
}

test('mail goes by SMTP with the login that SMTP_URL holds', async () => {
  const logins: unknown[] = []
  const { taken, host } = await smtpServer({
    authMethods: ['PLAIN'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) => {
      logins.push([username, password])
      done(null, { user: username })
    },
  })
  const mailer = createMailer({ url: `smtp://me:p%40ss@${host}`, from, outbox: '/nowhere', log: silent })
  await mailer.send(mail)
  expect(logins).toEqual([['me', 'p@ss']])
  expect(taken).toMatchObject([{ from: 'isotherm@x.test', to: ['ada@example.test'] }])
  expect(taken[0]?.source).toMatch(/^From: Isotherm <isotherm@x.test>\r?$/m)
  expect(taken[0]?.source).toMatch(/^Subject: =\?UTF-8\?/m)
  expect(taken[0]?.source).toMatch(/^Auto-Submitted: auto-generated/m)
})

test('a mail server that refuses, or is not there, fails the job so that it is tried again', async () => {
  const { host } = await smtpServer({
    authOptional: true,
    onRcptTo: (_, __, done) => done(Object.assign(new Error('try later'), { responseCode: 451 })),
  })
  const refusing = createMailer({ url: `smtp://${host}`, from, outbox: '/nowhere', log: silent })
  await expect(refusing.send(mail)).rejects.toThrow('451')
  const absent = createMailer({ url: 'smtp://127.0.0.1:1', from, outbox: '/nowhere', log: silent })
  await expect(absent.send(mail)).rejects.toThrow('ECONNREFUSED')
})

test('mail to the person of a sandbox goes nowhere, and is no failure', async () => {
  const absent = createMailer({ url: 'smtp://127.0.0.1:1', from, outbox: '/nowhere', log: silent })
  await expect(absent.send({ ...mail, to: 'a@sandbox.invalid' })).resolves.toBeUndefined()
  await expect(absent.send({ ...mail, to: 'a@notsandbox.invalid' })).rejects.toThrow('ECONNREFUSED')
})

test('without SMTP_URL mail lies in the outbox, for its owner only, and in the log without its token (L1)', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'isotherm-mail-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const lines: string[] = []
  const log = { info: (line: string) => void lines.push(line) } as unknown as Log
  const mailer = createMailer({ url: undefined, from, outbox: join(dir, 'outbox'), log })
  const text = `${mail.text}\n\nhttps://x.test/reset#s3cret\n`
  await Promise.all([mailer.send({ ...mail, text }), mailer.send({ ...mail, text })])
  const files = await readdir(join(dir, 'outbox'))
  expect(files.filter((name) => name.endsWith('.eml'))).toHaveLength(2)
  const path = join(dir, 'outbox', files[0] ?? '')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readFile(path, 'utf8')).toContain('To: ada@example.test')
  expect(await readFile(path, 'utf8')).toContain('s3cret')
  // One kind of line end, that of mails, for the programs that open the file.
  expect(await readFile(path, 'utf8')).not.toMatch(/(?<!\r)\n/)
  expect(lines[0]).toContain('https://x.test/a')
  expect(lines[0]).toContain('https://x.test/reset#[redacted]')
  expect(lines[0]).not.toContain('s3cret')
})

test.each([
  ['smtp://mail.example:587', true],
  ['smtp://user:secret@10.0.0.4', true],
  ['smtp://127.example.com', true],
  ['smtp://relay.lan:25?ignoreTLS=true', false],
  ['smtps://mail.example', false],
  ['smtp://localhost:25', false],
  ['smtp://127.0.0.1:2525', false],
  ['smtp://[::1]:25', false],
])('%s refuses a server without STARTTLS: %s (L2)', (url, expected) => {
  expect(needsTls(url)).toBe(expected)
})

test('what people typed cannot become mark-up, nor another header', async () => {
  const { html, subject } = letter(
    'a@x.test',
    (key) => (key === 'body' ? '<script>"&' : key),
    'https://x.test/?a=1&b=2',
  )
  expect(html).not.toContain('<script>')
  expect(html).toContain('https://x.test/?a=1&#38;b=2')
  expect(subject).toBe('subject')
  const { taken, host } = await smtpServer({ authOptional: true })
  const mailer = createMailer({ url: `smtp://${host}`, from, outbox: '/nowhere', log: silent })
  await mailer.send({ ...mail, subject: 'x\r\nBcc: victim@example.test' })
  expect(taken[0]?.to).toEqual(['ada@example.test'])
  expect(taken[0]?.source).not.toMatch(/^Bcc:/m)
})

test('a picture within a mail has an id of its own, in the form of an address', () => {
  const partOf = (pixels: string) => ({ picture: { png: Buffer.from(pixels), width: 4, height: 2, caption: 'trend' } })
  const idsOf = (...pixels: string[]) => {
    const { html, attachments = [] } = mailOfParts('a@x.test', 'subject', pixels.map(partOf))
    const ids = attachments.map((file) => ('cid' in file ? file.cid : ''))
    for (const id of ids) expect(html).toContain(`src="cid:${id}"`)
    return ids
  }
  const ids = [...idsOf('a', 'a'), ...idsOf('b')]
  expect(new Set(ids).size).toBe(3)
  for (const id of ids) expect(id).toMatch(/^[\w.]+@[\w.]+$/)
})
