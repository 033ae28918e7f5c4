import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'

export interface MailServer {
  /** As SMTP_URL has it. */
  url: string
  /** The path and fragment of the newest link of a kind (verify, reset, usersetup) that was mailed to an address, once there is one. */
  linkTo(address: string, kind: string): Promise<string>
  close(): Promise<void>
}

/** A mail server of this machine that takes whatever it is sent. */
export async function startMailServer(): Promise<MailServer> {
  const mails: { to: string[]; source: string }[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: async (stream, { envelope }, done) => {
      mails.unshift({ to: envelope.rcptTo.map(({ address }) => address), source: await text(stream) })
      done()
    },
  })
  server.on('error', () => {})
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', () => listening()))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    async linkTo(address, kind) {
      const link = new RegExp(`https?://[^\\s"<>]+/${kind}[/#][^\\s"<>]+`)
      for (let tries = 0; tries < 300; tries++) {
        const links = mails.filter(({ to }) => to.includes(address)).map(({ source }) => link.exec(unfolded(source)))
        const newest = links.find((each) => each !== null)
        if (newest) return pathOf(newest[0])
        await setTimeout(100)
      }
      throw new Error(`no ${kind} mail to ${address}`)
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}

/** Quoted-printable lines put together again. */
const unfolded = (mail: string) => mail.replace(/=\r?\n/g, '').replaceAll('=3D', '=')

function pathOf(link: string): string {
  const { pathname, hash } = new URL(link)
  return pathname + hash
}
